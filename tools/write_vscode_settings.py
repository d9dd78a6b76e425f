"""Writes the server's settings into `package.json` and `package.nls.json` of the VS Code extension.

Only the block with the identifier `notekin.server-settings`, and the texts it names, are derived;
the rest of both files is written by hand. `--check` writes nothing and fails when one is stale.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from notekin.app.settings import about, catalogue

ROOT = Path(__file__).resolve().parents[1]
EXTENSION = ROOT / "vscode-extension"
BLOCK = "notekin.server-settings"
TEXTS = "settings.of-the-server."
# VS Code's picker filters by name: the extension always turns it off and offers no choice.
# Secrets stand in the person's own file, where no editor syncs or commits them.
NOT_OFFERED = {"workspaceSymbols", "pdf.passwords"}
# What only the person may set is read from their own settings, never from a workspace's; what a
# vault may set, each folder of a workspace may.
SCOPES = {"person": "machine", "vault": "resource"}


def offered() -> Iterator["attrs.Attribute[Any]"]:
    """Yield the settings of the server that the extension offers."""
    return (each for name, each in catalogue().items() if name not in NOT_OFFERED)


def properties() -> Mapping[str, Mapping[str, Any]]:
    """Return the settings as VS Code describes them, by their full name."""
    found: dict[str, Mapping[str, Any]] = {}
    for order, attribute in enumerate(offered()):
        what = about(attribute)
        value: Any = attribute.default
        default = list(value) if what.joined else value
        found[f"notekin.{what.name}"] = {
            **what.shape.schema,
            "default": default,
            "scope": SCOPES[what.scope],
            "order": order,
            "description": f"%{TEXTS}{what.name}%",
        }
    return found


def texts() -> Mapping[str, str]:
    """Return the texts that the settings name."""
    return {f"{TEXTS}{about(each).name}": about(each).doc for each in offered()}


def package(text: str) -> str:
    """Return `package.json` with the block as it should be."""
    manifest = json.loads(text)
    for block in manifest["contributes"]["configuration"]:
        if block["id"] == BLOCK:
            block["properties"] = properties()
    return _json(manifest)


def package_texts(text: str) -> str:
    """Return `package.nls.json` with the texts as they should be."""
    kept = {name: one for name, one in json.loads(text).items() if not name.startswith(TEXTS)}
    return _json({**kept, **texts()})


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write both files, or check them; 1 when one is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when stale")
    checking = parser.parse_args().check
    n_stale = 0
    for name, derive in (("package.json", package), ("package.nls.json", package_texts)):
        file = EXTENSION / name
        text = file.read_text("utf-8")
        if derive(text) == text:
            continue
        if checking:
            print(f"vscode-extension/{name} is stale: run `make generate`.")
            n_stale += 1
        else:
            file.write_text(derive(text), "utf-8", newline="\n")
    return 1 if n_stale else 0


if __name__ == "__main__":
    sys.exit(main())
