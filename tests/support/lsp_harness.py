"""A client in the same process: no pipes, no JSON-RPC library, every message in sight."""

import asyncio
import json
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from notekin.lsp.engine import MakeEngine
from notekin.lsp.running import handle
from notekin.lsp.server import create_server
from notekin.lsp.state import NotekinServer
from support.fake_session import FakeSession

Message = dict[str, Any]

_PATIENCE = 10.0  # seconds before a test that waits for nothing fails


class LspClient:
    """Speaks to one server; answers the server's own requests with null, for settings
    with its `configuration` if it has any: those of a folder by the folder's name.
    """

    def __init__(self, session: FakeSession, make_engine: MakeEngine | None = None) -> None:
        self.session = session
        self.received: list[Message] = []
        self.exited = False
        self.answers_requests = True
        self.configuration: Mapping[str, Any] | None = None
        self.server: NotekinServer = create_server(make_engine or (lambda _: session))
        self.server.protocol.set_writer(self, include_headers=False)
        self.server.on_exit = self._on_exit
        self._ids = count(1)
        self._arrival = asyncio.Event()

    # --- pygls' writer -------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        message = json.loads(data)
        self.received.append(message)
        if self.answers_requests and "method" in message and "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": self._result(message)}
            asyncio.get_running_loop().call_soon(self.send, answer)
        self._arrival.set()

    def close(self) -> None:
        """Nothing to close."""

    def _result(self, message: Message) -> Any:
        if message["method"] != "workspace/configuration" or self.configuration is None:
            return None
        everywhere = self.configuration.get("everywhere")
        names = [item.get("scopeUri", "").rpartition("/")[2] for item in message["params"]["items"]]
        return [self.configuration.get(name, everywhere) for name in names]

    # --- the client ----------------------------------------------------------------------

    def send(self, message: Any) -> None:
        """Send anything that JSON can say."""
        self.send_raw(json.dumps(message).encode())

    def send_raw(self, body: bytes) -> None:
        handle(self.server, body)

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method: str, params: Any = None) -> int:
        """Send a request; return its id."""
        msg_id = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})
        return msg_id

    async def answer(self, msg_id: int | str) -> Message:
        """Return the answer to a request."""
        return await self.message(lambda m: m.get("id") == msg_id and "method" not in m)

    async def request(self, method: str, params: Any = None) -> Message:
        return await self.answer(self.begin(method, params))

    async def message(self, wanted: Callable[[Message], bool]) -> Message:
        """Return the first message like that, as soon as it is there."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                self._arrival.clear()
                for message in self.received:
                    if wanted(message):
                        return message
                await self._arrival.wait()

    def notifications(self, method: str) -> list[Message]:
        """Return the params of all notifications of that method so far."""
        return [m["params"] for m in self.received if m.get("method") == method and "id" not in m]

    async def initialize(self, folders: list[Path], given: Mapping[str, Any]) -> Message:
        """Initialize, and wait until the session is there."""
        workspace = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params: Message = {"processId": None, "rootUri": None, "capabilities": {}, **given}
        answer = await self.request("initialize", {"workspaceFolders": workspace, **params})
        self.notify("initialized", {})
        await self.server.engine()
        return answer["result"]

    async def stop(self) -> None:
        """Leave nothing behind."""
        self.session.gate.set()
        await self.server.close()

    def _on_exit(self) -> None:
        self.exited = True
        self._arrival.set()
