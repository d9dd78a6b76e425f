"""A reader of PDFs that does what the file's name says: for tests of who supervises it."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer requests, some of them badly."""
    print("noise among the answers of a library", file=sys.stderr)
    for line in sys.stdin:
        request = json.loads(line)
        say({"page": 0, "of": 0})
        misbehave(Path(request["path"]).stem, 0)
        done = read_pages(request)
        for page in range(1, 4):
            if str(page) in done:
                continue
            say({"page": page, "of": 3})
            name = Path(request["path"]).stem
            if name.endswith("-always") or not request["attempts"].get(str(page)):
                misbehave(name, page)
            if "spool" in request:
                with Path(request["spool"]).open("a", encoding="ascii") as file:
                    file.write(f"{page}\n")
        say({"page": 4, "of": 3})
        misbehave(Path(request["path"]).stem, 4)
        say({"result": answer(request)})


def misbehave(name: str, page: int) -> None:
    """Do what the name says, on page 2; or at once, or at the end, when it says so."""
    name, _, when = name.partition("-")
    if page != {"": 2, "always": 2, "at once": 0, "at the end": 4}[when]:
        return
    if name == "hang":
        while True:
            pass
    if name == "wait":
        time.sleep(3600)
    if name == "die":
        os._exit(9)
    if name == "nonsense":
        sys.stdout.write("this is no answer\n")
        sys.stdout.flush()
    if name == "memory":
        say({"fault": "memoryLimit"})
        sys.exit()


def read_pages(request: dict[str, Any]) -> set[str]:
    """Return the pages that were read before."""
    try:
        return set(Path(request["spool"]).read_text("ascii").split())
    except (KeyError, OSError):
        return set()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the tests look at: who read, with which limits, and what went wrong before."""
    said = [f"pid {os.getpid()}", json.dumps(request["faults"]), json.dumps(request["attempts"])]
    blocks = [{"type": "paragraph", "text": text, "page": 1, "bbox": [0, 0, 1, 1]} for text in said]
    shared: dict[str, Any] = {"title": "", "n_pages": 3, "warnings": []}
    if request["do"] == "text":
        return {**shared, "pages": said}
    return {**shared, "ocr": False, "blocks": blocks}


def say(value: dict[str, Any]) -> None:
    """Send one answer."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
