"""Reads the settings files: `config.toml` of the person and `notekin.toml` of a vault."""

import os
import re
import stat
import tomllib
from pathlib import Path

import platformdirs
from attrs import frozen

from notekin.app.configuring import VAULT_FILE
from notekin.app.errors import BadSetting
from notekin.app.overlays import Overlay, Source, parse
from notekin.app.settings import Scope

PERSON_FILE = "config.toml"
_MAX_BYTES = 1_000_000

# A pipe would block for ever when opened. Windows has only the last of these flags.
_FLAGS = ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
_OPEN_FLAGS = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in _FLAGS)


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


@frozen
class SettingsFiles:
    """Implements `app.configuring.SettingsFiles`; the person's file is `of_person`."""

    of_person: Path

    @classmethod
    def usual(cls) -> "SettingsFiles":
        """Return the files where they usually stand."""
        return cls(config_folder() / PERSON_FILE)

    def person(self) -> Overlay:
        """Read the person's settings; a missing file sets nothing, a broken one is told."""
        return _read_file(self.of_person, self.of_person, "file")

    def vault(self, root: Path) -> Overlay:
        """Read what a vault tunes; it may set no more than the settings of scope `vault`."""
        named = root / VAULT_FILE
        real = Path(os.path.realpath(named))
        if not real.is_relative_to(os.path.realpath(root)):
            return Overlay.unreadable(
                BadSetting(
                    f"{named} is a link out of the vault, which is not followed; its settings have "
                    "no effect. Put the file itself there."
                )
            )
        return _read_file(named, real, "vault")


def _read_file(named: Path, real: Path, scope: Scope) -> Overlay:
    """Read the file `real`, which the person knows as `named`."""
    try:
        content = _content(named, real)
        table = None if content is None else _table(named, content)
    except BadSetting as error:
        return Overlay.unreadable(error)
    return parse(table, Source(str(named), scope))


def _content(named: Path, real: Path) -> bytes | None:
    """Return what the file holds, None when there is no such file."""
    try:
        with open(os.open(real, _OPEN_FLAGS), "rb") as file:  # noqa: PTH123  # a handle, not a path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadSetting(_NO_FILE.format(named))
            content = file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError as error:
        raise BadSetting(_NO_FILE.format(named)) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadSetting(f"{named} cannot be read ({reason}); make it readable.") from error
    if len(content) > _MAX_BYTES:
        raise BadSetting(f"{named} is larger than a megabyte; its settings have no effect.")
    return content


_NO_FILE = "{} is no regular file; its settings have no effect."


def _table(path: Path, content: bytes) -> object:
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
