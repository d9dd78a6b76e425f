"""A D-Bus daemon with one client, as small as a listener needs it."""

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import jeepney

_PATIENCE_SECONDS = 10.0
_DBUS: Any = jeepney  # its types are incomplete


class FakeBus:
    """Answers every call with a name, and sends what UPower sends when a plug is pulled."""

    def __init__(self, path: Path) -> None:
        self.address = f"unix:path={path}"
        self.matched = threading.Event()
        self.left = threading.Event()
        self.rules: list[str] = []
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._client: socket.socket | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def tell(self) -> None:
        """Send the signal."""
        assert self.matched.wait(_PATIENCE_SECONDS), "nobody asked for signals"
        upower = _DBUS.DBusAddress(
            "/org/freedesktop/UPower", interface="org.freedesktop.DBus.Properties"
        )
        body: Any = ("org.freedesktop.UPower", {"OnBattery": ("b", True)}, [])
        self._send(_DBUS.new_signal(upower, "PropertiesChanged", "sa{sv}as", body))

    def vanish(self) -> None:
        """End the connection as a daemon that dies does."""
        if self._client is not None:
            with suppress(OSError):  # the client may have left before
                self._client.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        # `accept` returns for one last client, where none ever came.
        with socket.socket(socket.AF_UNIX) as last:
            if self._client is None:
                last.connect(self.address.removeprefix("unix:path="))
        self.vanish()
        self._thread.join(_PATIENCE_SECONDS)
        self._server.close()

    def _run(self) -> None:
        self._client, _ = self._server.accept()
        with self._client, self._client.makefile("rb") as incoming:
            for line in incoming:
                if line.endswith(b"BEGIN\r\n"):
                    break
                self._client.sendall(
                    b"OK 0123456789abcdef\r\n" if b"AUTH" in line else b"ERROR\r\n"
                )
            self._serve(incoming)
        self.left.set()

    def _serve(self, incoming: Any) -> None:
        parser = _DBUS.Parser()
        while data := incoming.read1(4096):
            parser.add_data(data)
            while (message := parser.get_next_message()) is not None:
                if message.header.message_type is _DBUS.MessageType.method_call:
                    self._answer(message)

    def _answer(self, message: Any) -> None:
        member = message.header.fields[_DBUS.HeaderFields.member]
        if member == "AddMatch":
            self.rules.append(message.body[0])
            self._send(_DBUS.new_method_return(message))
            self.matched.set()
        else:
            self._send(_DBUS.new_method_return(message, "s", (":1.7",)))

    def _send(self, message: Any) -> None:
        assert self._client is not None
        self._client.sendall(message.serialise(serial=1))
