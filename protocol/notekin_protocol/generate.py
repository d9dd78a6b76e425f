"""Write what is derived from `messages`: `python -m notekin_protocol.generate [--check]`.

Only in a checkout of the repository; the files are committed. With `--check` nothing is
written, and the exit status is 1 when a file is stale.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from notekin_protocol.reference import reference
from notekin_protocol.typescript import typescript


def outputs() -> Mapping[str, str]:
    """Return the text of every derived file by its path in the repository."""
    return {
        "protocol/typescript/protocol.ts": typescript(),
        "docs/reference/protocol.md": reference(),
    }


def repository() -> Path:
    """Return the root of the checkout this file lies in.

    Raises `SystemExit` with a sentence when it is an installed copy.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / "protocol" / "notekin_protocol").is_dir():
        raise SystemExit("Run this in a checkout of the repository: an installed copy has no docs.")
    return root


def stale(root: Path) -> list[str]:
    """Return the derived files below `root` that differ from what would be written."""
    return [path for path, text in outputs().items() if _content(root / path) != text]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the derived files, or check them; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m notekin_protocol.generate")
    parser.add_argument("--check", action="store_true", help="only say which files are stale")
    options = parser.parse_args(arguments)
    root = repository()
    paths = stale(root)
    if options.check:
        return _complain(paths)
    for path in paths:
        _write(root / path, outputs()[path])
        sys.stdout.write(f"{path}\n")
    return 0


def _complain(paths: Sequence[str]) -> int:
    for path in paths:
        sys.stderr.write(f"{path} is stale: run `python -m notekin_protocol.generate`.\n")
    return 1 if paths else 0


def _content(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
