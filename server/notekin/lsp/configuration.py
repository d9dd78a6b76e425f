"""Settings from the editor: asked for where it can be asked, else as it sends them.

A client is asked for what holds everywhere, and for each folder. What differs for a folder may have
come with that folder, so it counts as the vault's own word: it may tune, but never name.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from lsprotocol import types

from notekin.app.configuring import EditorSettings
from notekin.app.overlays import Overlay, Source, parse
from notekin.app.settings import catalogue
from notekin.app.uris import uri_of
from notekin.lsp.engine import Engine
from notekin.lsp.errors import log_failure
from notekin.lsp.state import NotekinServer

SECTION = "notekin"
_REGISTRATION_ID = "notekin-configuration"
_PATIENCE = 2.0  # seconds; a first index waits for the answer, as it may exclude notes

_EDITOR = Source("your editor's settings", prefix=f"{SECTION}.", container="an object")


def asks_for_symbols(options: object) -> bool:
    """Return whether the client wants workspace symbols, by its `initializationOptions`."""
    return parse(options, _EDITOR).values.get("workspace_symbols") is not False


def register(ls: NotekinServer) -> None:
    """Ask to be told about changes, where the client wants to be asked."""
    if ls.client.registers_configuration:
        options = types.DidChangeConfigurationRegistrationOptions(SECTION)
        registration = types.Registration(
            _REGISTRATION_ID, types.WORKSPACE_DID_CHANGE_CONFIGURATION, options
        )
        ls.client_register_capability(types.RegistrationParams([registration]))


def changed(ls: NotekinServer, params: types.DidChangeConfigurationParams) -> None:
    """The editor's settings changed; some clients send them along."""
    sent = _section_of(params.settings)
    ls.tell_when_known(lambda: order(ls, sent))


async def order(ls: NotekinServer, sent: object = None) -> Callable[[Engine], object] | None:
    """Return how the session is to be told what the editor says now, None where nothing is known.

    `sent` is what the client told by itself: it counts where the client cannot be asked.
    """
    folders = ls.folders
    answer = await _asked(ls, folders) if ls.client.pulls else None
    if answer is not None and (sent is None or any(item is not None for item in answer)):
        given = settings_of(answer, folders)
    elif sent is not None:
        given = EditorSettings(parse(sent, _EDITOR))
    else:
        return None
    return lambda engine: engine.configure(given)


def settings_of(answer: Sequence[object], folders: Sequence[Path]) -> EditorSettings:
    """Return what a client's answer says: first of everywhere, then of each folder."""
    everywhere, *others = answer
    return EditorSettings(
        parse(everywhere, _EDITOR),
        {
            folder: _of_folder(folder, different(own, everywhere))
            for folder, own in zip(folders, others, strict=True)
        },
    )


def different(own: object, common: object) -> object:
    """Return the part of `own` that is not in `common`, None when there is none."""
    if own == common:
        return None
    if not (isinstance(own, Mapping) and isinstance(common, Mapping)):
        return cast("object", own)
    ours, others = cast("Mapping[str, object]", own), cast("Mapping[str, object]", common)
    parts = {key: different(value, others.get(key)) for key, value in ours.items()}
    return {key: value for key, value in parts.items() if value is not None}


async def _asked(ls: NotekinServer, folders: Sequence[Path]) -> Sequence[object] | None:
    """Return the client's answer, an item for everywhere and one for each folder; None when it
    has none.
    """
    scopes = [None, *map(uri_of, folders)]
    params = types.ConfigurationParams([types.ConfigurationItem(s, SECTION) for s in scopes])
    try:
        async with asyncio.timeout(_PATIENCE):
            answer: Any = await ls.protocol.send_request_async(
                types.WORKSPACE_CONFIGURATION, params
            )
    except Exception as error:  # noqa: BLE001 - what held before stays
        log_failure("The client did not tell its settings", error)
        return None
    if not isinstance(answer, list) or len(cast("list[object]", answer)) != len(scopes):
        return None
    return cast("list[object]", answer)


def _section_of(settings: object) -> object:
    """Return what clients that send settings send of ours, None when there is nothing.

    Some send their settings of all servers, some those of one without its name.
    """
    if not isinstance(settings, Mapping):
        return settings
    sections = cast("Mapping[str, object]", settings)
    if SECTION in sections:
        return sections[SECTION]
    ours = {name.partition(".")[0] for name in catalogue()}
    is_ours = not sections or any(key.partition(".")[0] in ours for key in sections)
    return sections if is_ours else None


def _of_folder(folder: Path, own: object) -> Overlay:
    place = f"your editor's settings of the folder {folder}"
    return parse(own, Source(place, "vault", f"{SECTION}.", "an object"))
