"""Listens to UPower, the daemon that watches the power supply on most Linux systems."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_PATH = "/org/freedesktop/UPower"
_PATIENCE_SECONDS = 5.0


class UPower:
    """Calls `changed`, on a thread of its own, whenever UPower may have something to say.

    Where there is no bus, or it goes away, `changed` is not called and nobody is bothered: the
    one who listens looks by itself from time to time.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._closed = False
        self._connection: Any = None
        # A bus that does not answer holds up this thread only.
        threading.Thread(target=self._run, name="notekin-upower", daemon=True).start()

    def close(self) -> None:
        """Listen no more."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                # It ends the read that the other thread waits in; closing would not.
                with suppress(OSError):
                    self._connection.sock.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        # A bus may be missing, refuse, vanish or talk nonsense: each is the same to us.
        with suppress(Exception):
            self._listen()

    def _listen(self) -> None:
        import jeepney
        from jeepney.io.blocking import open_dbus_connection

        connection: Any = open_dbus_connection("SYSTEM")
        try:
            with self._lock:
                if self._closed:
                    return
                self._connection = connection
            rule = jeepney.MatchRule(
                type="signal",
                interface="org.freedesktop.DBus.Properties",
                member="PropertiesChanged",
                path=_PATH,
            )
            bus: Any = jeepney.message_bus
            connection.send_and_get_reply(bus.AddMatch(rule), timeout=_PATIENCE_SECONDS)
            while not self._closed:
                connection.receive()
                self._changed()
        finally:
            with self._lock:
                self._connection = None
                connection.close()
