"""Writes `docs/reference/settings.md` from the settings themselves.

`--check` writes nothing and fails when the page is not what would be written.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from notekin.app.settings import about, catalogue
from notekin.core.reading import KINDS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "settings.md"

HEAD = """\
# Settings

<!-- Written by `make generate` from the settings themselves: see tools/write_reference.py. -->

Every setting has the same name everywhere. A dot is a table in TOML and an object in JSON:
`indexing.threads` is `threads` in the table `[indexing]`.

| Where | Whose | May set |
|---|---|---|
| `config.toml` in your config folder | yours, everywhere | everything |
| `initializationOptions`, or the section `notekin` of an editor | yours, there | everything |
| `notekin.toml` at the root of a vault | the vault's | what says "or a vault" below |

Your config folder is `~/.config/notekin` on Linux, `~/Library/Application Support/notekin` on
macOS, and `%LOCALAPPDATA%\\notekin` on Windows; `NOTEKIN_CONFIG_DIR` moves it. Where several
sources set the same, the lower one in the table holds, except for lists, which add up.

A vault's files may come from anyone: they may tune how its notes are indexed, but never name a
program, a model, a path outside the vault or a host. A wrong setting has no effect: the editor
shows a sentence about it and the rest applies; a command refuses to run until it is corrected. An
unknown name is a warning; `null` is not set.

In an editor a change holds at once, wherever it is made: notes come and go with `exclude` and
`suffixes` without being embedded again, and another model is built while words answer. A value
that is wrong keeps the one before it. An editor that can be asked is asked for each folder too;
what differs for a folder counts as the vault's own.

```toml
# config.toml
exclude = ["archive/", "*.draft.md"]

[indexing]
threads = 2
```

## What is a note

A file whose name ends in {suffixes}, or in one of the setting `suffixes`, and that nothing
leaves out. These leave out, from the weakest to the strongest; a stronger one may bring back, as
`!name`, what a weaker one left out:

1. `.gitignore` files, in the vault and above it up to the root of its repository;
2. names that begin with a dot, and `node_modules`;
3. `.notekinignore` files in the vault, with the syntax of `.gitignore`;
4. the setting `exclude`.

What lies in a folder that is left out is not looked at, whatever else says so. Symbolic links are
not followed: what they lead to in the vault is found where it lies.
"""


def page() -> str:
    """Return the whole page."""
    *others, last = (f"`{suffix}`" for suffix in KINDS)
    head = HEAD.replace("{suffixes}", f"{', '.join(others)} or {last}")
    return head + "".join(section for each in catalogue().values() for section in sections(each))


def sections(attribute: "attrs.Attribute[Any]") -> Iterator[str]:
    """Yield the parts of one setting's section."""
    what = about(attribute)
    who = "you, or a vault" if what.scope == "vault" else "you"
    default = json.dumps(attribute.default, ensure_ascii=False)
    yield f"\n## `{what.name}`\n\n{what.doc}\n\n"
    yield f"- Default: `{default}`\n"
    yield f"- Must be {what.shape.words}\n"
    yield f"- May be set by {who}\n"


def main() -> int:
    """Write the page, or check it; 1 when it is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when stale")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page():
        print("docs/reference/settings.md is stale: run `make generate`.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
