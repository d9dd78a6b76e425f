"""JSON-RPC as this server speaks it: every request gets exactly one answer.

pygls brings the types, the registry of features, requests to the client and the running of
coroutines. What it leaves open is closed here: malformed parameters are answered, errors carry
a sentence and no traceback, nothing is logged that could hold a note's text, notifications
leave nothing behind, and commands are cancelled like the requests they stand for.
"""

import asyncio
import inspect
import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any, TypeGuard, cast

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter

from notekin.app.errors import BadRequest, Cancelled, NotekinError
from notekin_protocol.convert import MalformedParams

logger = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
CANCELLED = -32800
REQUEST_FAILED = -32803

Id = int | str
ReadParams = Callable[[Any], Any]

# What `lifecycle` looks at.
_CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "general": ("positionEncodings",),
    "textDocument": ("hover",),
    "window": ("workDoneProgress",),
    "workspace": ("didChangeWatchedFiles",),
}

_NO_PARAMS: frozenset[str] = frozenset({types.SHUTDOWN, types.EXIT})


def strict_converter() -> cattrs.Converter:
    """Return lsprotocol's converter, which takes a number for a string no more."""
    converter = default_converter()
    for leaf in (str, int, bool):
        converter.register_structure_hook(leaf, _leaf)
    return converter


def _leaf(value: Any, kind: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError
    return value


class NotekinProtocol(LanguageServerProtocol):
    """pygls' protocol with one way in (`handle_message`) and one way out for errors (`fail`).

    Only features registered on the server are called; pygls' built-in ones, which leave a
    future behind for every notification and edit documents slowly, are not.
    """

    own_params: Mapping[str, ReadParams] = {}
    """How the parameters of the server's own methods are read; raises `MalformedParams`."""

    def __init__(self, server: LanguageServer, converter: cattrs.Converter) -> None:
        super().__init__(server, converter)
        self._initialized = False
        # Apart from pygls' table of requests to the client: ids of both sides may be equal.
        self._tasks: dict[Id, asyncio.Future[Any]] = {}

    @property
    def shut_down(self) -> bool:
        """Whether `shutdown` was asked for."""
        return self._shutdown

    # --- in ------------------------------------------------------------------------------

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """Leave the message as it came: pygls calls this for every object inside it, too."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handle one message, decoded from JSON."""
        if not isinstance(message, dict):
            self.fail(None, INVALID_REQUEST, "A message is a JSON object.")
            return
        data = cast("dict[str, Any]", message)
        method = data.get("method")
        if method is None and "id" in data:
            self._settle(data)
        elif not isinstance(method, str):
            self.fail(_id_of(data), INVALID_REQUEST, "A message names its method.")
        elif "id" not in data:
            self._notified(method, data.get("params"))
        elif not _is_id(data["id"]):
            self.fail(None, INVALID_REQUEST, "The id of a request is a number or a string.")
        else:
            self._requested(data["id"], method, data.get("params"))

    def _requested(self, msg_id: Id, method: str, raw: Any) -> None:
        if (refusal := self._out_of_turn(method)) is not None:
            self.fail(msg_id, *refusal)
            return
        handler = self._handlers.get(method)
        if handler is None:
            self.fail(msg_id, METHOD_NOT_FOUND, f"{method} is not served here.")
            return
        try:
            params = self.read_params(method, raw)
        except (BadRequest, MalformedParams) as error:
            self.fail(msg_id, INVALID_PARAMS, str(error))
            return
        if method == types.INITIALIZE:
            self._initialized = True
        elif method == types.SHUTDOWN:
            self._shutdown = True
        self._run(msg_id, lambda: handler(params))

    def _run(self, msg_id: Id, handler: Callable[[], Any]) -> None:
        """Call a handler at once, so that it sees the documents as the client did; what it
        leaves to wait for becomes a task.
        """
        try:
            result = handler()
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer
            self.fail(msg_id, *explained(error))
            return
        if inspect.isawaitable(result):
            task = self._tasks[msg_id] = asyncio.ensure_future(result)
            task.add_done_callback(partial(self._send_handler_result, msg_id=msg_id))
        else:
            self._send_response(msg_id, result)

    def _out_of_turn(self, method: str) -> tuple[int, str] | None:
        if self._shutdown:
            return INVALID_REQUEST, "The server is shutting down; start it again."
        if method == types.INITIALIZE:
            again = "The server is initialized already; initialize it once."
            return (INVALID_REQUEST, again) if self._initialized else None
        if not self._initialized:
            return NOT_INITIALIZED, "The server is not initialized; send initialize first."
        return None

    def _notified(self, method: str, raw: Any) -> None:
        if method == types.CANCEL_REQUEST:
            self._cancel(raw)
            return
        in_turn = self._initialized and not self._shutdown
        handler = self._handlers.get(method)
        if handler is None or not (in_turn or method == types.EXIT):
            return
        try:
            handler(self.read_params(method, raw))
        except Exception as error:  # noqa: BLE001 - a notification has nobody to answer to
            log_failure(f"{method} was ignored", error)

    def _cancel(self, raw: Any) -> None:
        msg_id = _id_of(cast("dict[str, Any]", raw)) if isinstance(raw, dict) else None
        task = None if msg_id is None else self._tasks.get(msg_id)
        if task is not None:
            task.cancel()

    def _settle(self, data: dict[str, Any]) -> None:
        """Hand the client's answer to who asked, unless nobody waits for it any more."""
        msg_id = _id_of(data)
        future = None if msg_id is None else self._request_futures.pop(msg_id, None)
        if msg_id is None or future is None:
            return
        self._result_types.pop(msg_id, None)
        if not future.set_running_or_notify_cancel():
            return
        if "error" in data:
            future.set_exception(JsonRpcException("The client refused the request."))
        else:
            future.set_result(data.get("result"))

    # --- parameters ----------------------------------------------------------------------

    def read_params(self, method: str, raw: Any) -> Any:
        """Return typed parameters; raises `BadRequest` or `MalformedParams`."""
        if method in _NO_PARAMS:
            return None
        if (read := self.own_params.get(method)) is not None:
            return read({} if raw is None else raw)
        if method == types.INITIALIZE:
            raw = _without_strange_capabilities(raw)
        kind: Any = types.METHOD_TO_TYPES[method][2]
        try:
            return self._converter.structure({} if raw is None else raw, kind)
        except Exception as error:
            problem = _first_problem(error)
            raise BadRequest(f"The parameters of {method} are malformed: {problem}.") from error

    @property
    def _handlers(self) -> dict[str, Callable[[Any], Any]]:
        return cast("Any", self.fm).features

    @property
    def commands(self) -> dict[str, str]:
        """Return the own methods by the name of their command."""
        return {method.replace("/", "."): method for method in self.own_params}

    def execute(self, command: str, arguments: Sequence[Any]) -> Any:
        """Return what the own method that `command` stands for returns."""
        method = self.commands.get(command)
        if method is None:
            raise BadRequest(f"There is no command {command!r}; see executeCommandProvider.")
        if len(arguments) > 1:
            raise BadRequest(f"{command} takes one argument, the parameters of {method}.")
        params = self.read_params(method, arguments[0] if arguments else None)
        return self._handlers[method](params)

    # --- out -----------------------------------------------------------------------------

    def _send_handler_result(self, future: Any, *, msg_id: Id) -> None:
        self._tasks.pop(msg_id, None)
        if future.cancelled():
            self.fail(msg_id, CANCELLED, "The request was cancelled.")
        elif (error := future.exception()) is not None:
            self.fail(msg_id, *explained(error))
        else:
            self._send_response(msg_id, future.result())

    def fail(self, msg_id: Id | None, code: int, sentence: str) -> None:
        """Answer a request with an error; a message without a usable id gets id null."""
        error = {"code": code, "message": sentence}
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": error})

    def cancel_requests(self, but: asyncio.Future[Any] | None = None) -> None:
        """Cancel every request of the client that still runs, except one."""
        for task in tuple(self._tasks.values()):
            if task is not but:
                task.cancel()


def explained(error: BaseException) -> tuple[int, str]:
    """Return code and sentence for an error; an unforeseen one is logged by where it arose."""
    match error:
        case BadRequest():
            return INVALID_PARAMS, str(error)
        case Cancelled():
            return CANCELLED, str(error)
        case NotekinError():
            return REQUEST_FAILED, str(error)
        case MalformedParams():
            return INVALID_PARAMS, str(error)
        case JsonRpcException():
            return error.code, error.message
        case _:
            logger.error("%s in %s", type(error).__name__, _where(error))
            kind = type(error).__name__
            return INTERNAL_ERROR, f"notekin failed unexpectedly ({kind}); its log says where."


def log_failure(what: str, error: BaseException) -> None:
    """Log what came of an error. No traceback: it may quote a note, and it names folders."""
    logger.error("%s: %s", what, explained(error)[1])


def _where(error: BaseException) -> str:
    """Return the functions an error passed through: no paths, no values, no note's text."""
    frames = traceback.extract_tb(error.__traceback__)
    return " > ".join(f"{frame.name}:{frame.lineno}" for frame in frames)


def _without_strange_capabilities(raw: Any) -> Any:
    """Leave out the capabilities that nothing here looks at: newer clients than lsprotocol name
    kinds that it does not know, and are to be served nevertheless.
    """
    if not isinstance(raw, dict):
        return raw
    params = cast("dict[str, Any]", raw)
    offered = params.get("capabilities")
    if not isinstance(offered, dict):
        return params
    capabilities: dict[str, Any] = {}
    for room, names in _CAPABILITIES.items():
        given = cast("dict[str, Any]", offered).get(room)
        if isinstance(given, dict):
            rooms = cast("dict[str, Any]", given)
            capabilities[room] = {name: rooms[name] for name in names if name in rooms}
    return {**params, "capabilities": capabilities}


def _first_problem(error: Exception) -> str:
    if isinstance(error, cattrs.BaseValidationError):
        problems = cattrs.transform_error(error, "params")
        return problems[0] if problems else "a value has the wrong type"
    return "a value has the wrong type"


def _is_id(value: Any) -> TypeGuard[Id]:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _id_of(data: Mapping[str, Any]) -> Id | None:
    value = data.get("id")
    return value if _is_id(value) else None
