"""Reads the settings files: `config.toml` of the person and `notekin.toml` of a vault."""

import os
import re
import tomllib
from pathlib import Path

import platformdirs

from notekin.app.errors import BadSetting
from notekin.app.settings import Overlay, Scope, Source, parse

PERSON_FILE = "config.toml"
VAULT_FILE = "notekin.toml"
_MAX_BYTES = 1_000_000


def config_folder() -> Path:
    """Return where the person's settings stand; NOTEKIN_CONFIG_DIR moves it."""
    moved = os.environ.get("NOTEKIN_CONFIG_DIR")
    if moved:
        return Path(moved).expanduser()
    return platformdirs.user_config_path("notekin", appauthor=False)


def data_folder() -> Path:
    """Return where the indexes stand; NOTEKIN_DATA_DIR moves it."""
    moved = os.environ.get("NOTEKIN_DATA_DIR")
    if moved:
        return Path(moved).expanduser()
    return platformdirs.user_data_path("notekin", appauthor=False)


def read_person() -> Overlay:
    """Read the person's settings; a missing file sets nothing, a broken one is an error told."""
    return _read_file(config_folder() / PERSON_FILE, "person")


def read_vault(root: Path) -> Overlay:
    """Read what a vault tunes; it may set no more than the settings of scope `vault`."""
    return _read_file(root / VAULT_FILE, "vault")


def _read_file(path: Path, scope: Scope) -> Overlay:
    try:
        table = _table(path)
    except BadSetting as error:
        return Overlay(errors=(error,))
    return parse(table, Source(str(path), scope))


def _table(path: Path) -> object:
    """Return the file's table, None when there is no such file."""
    if not path.exists():
        return None
    # A FIFO would block for ever when opened, and a vault's files are not to be trusted.
    if not path.is_file():
        raise BadSetting(f"{path} is no regular file; its settings have no effect.")
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadSetting(f"{path} cannot be read ({reason}); make it readable.") from error
    if len(content) > _MAX_BYTES:
        raise BadSetting(f"{path} is larger than a megabyte; its settings have no effect.")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadSetting(
            f"{path}, line {line}: the file must be UTF-8. None of its settings has an effect."
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadSetting(_broken(path, str(error))) from error


def _broken(path: Path, message: str) -> str:
    """Put the parser's message, which ends in "(at line 3, column 7)", into a sentence."""
    place = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$", message)
    if place is None:
        return f"{path} is no valid TOML. None of its settings has an effect until it is corrected."
    line = f"line {place[1]}" if place[1] else "at its end"
    what = message[: place.start()]
    return (
        f"{path}, {line}: this is no valid TOML ({what}). "
        "None of its settings has an effect until it is corrected."
    )
