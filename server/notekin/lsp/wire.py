"""JSON-RPC as this server speaks it: every request gets exactly one answer.

pygls brings the types, the registry of features, requests to the client and the running of
coroutines. What it leaves open is closed here: malformed parameters are answered, errors carry
a sentence and no traceback, nothing is logged that could hold a note's text, notifications
leave nothing behind, and commands are cancelled like the requests they stand for.
"""

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeGuard, cast

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from notekin.app.errors import BadRequest
from notekin.lsp.errors import (
    CANCELLED,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
    explained,
    log_failure,
)
from notekin.lsp.params import read_standard
from notekin_protocol.convert import MalformedParams

logger = logging.getLogger(__name__)

Id = int | str
ReadParams = Callable[[Any], Any]


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
        self._shutdown_id: Id | None = None
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
            self._shutdown, self._shutdown_id = True, msg_id
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
            self._answer(msg_id, result)

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
        if (read := self.own_params.get(method)) is not None:
            return read({} if raw is None else raw)
        return read_standard(method, raw, self._converter)

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
            self._answer(msg_id, future.result())

    def _answer(self, msg_id: Id, result: Any) -> None:
        """Answer a request: with JSON, which goes out as it is, or with LSP's types."""
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": result})

    def fail(self, msg_id: Id | None, code: int, sentence: str) -> None:
        """Answer a request with an error; a message without a usable id gets id null."""
        error = {"code": code, "message": sentence}
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": error})

    def cancel_requests(self) -> None:
        """Cancel every request of the client that still runs, but for `shutdown`."""
        for msg_id, task in tuple(self._tasks.items()):
            if msg_id != self._shutdown_id:
                task.cancel()

    async def answered(self) -> None:
        """Wait until every request so far is answered."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks.values()))


def _is_id(value: Any) -> TypeGuard[Id]:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _id_of(data: Mapping[str, Any]) -> Id | None:
    value = data.get("id")
    return value if _is_id(value) else None
