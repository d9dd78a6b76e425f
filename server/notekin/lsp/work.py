"""Threads for the work of requests, so that the loop only ever converts and waits."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from typing import TypeVar

from notekin.app.cancel import CancelToken
from notekin.lsp.errors import log_failure

T = TypeVar("T")

_N_THREADS = 6


class RequestPool:
    """Runs blocking work, and stops it when whoever awaits it is cancelled."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="notekin-request")
        self._tokens: set[CancelToken] = set()

    async def run(self, work: Callable[[CancelToken], T], token: CancelToken | None = None) -> T:
        """Return what `work` returns. Cancelled, work not yet started never starts, and work
        that runs is told through its token; what it still returns goes nowhere. Give the `token`
        of what has begun before.
        """
        token = token or CancelToken()
        self._tokens.add(token)
        running = self._threads.submit(work, token)
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            running.cancel()
            token.cancel()
            raise
        finally:
            self._tokens.discard(token)

    def close(self) -> None:
        """Stop everything; waits for nothing."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for token in tuple(self._tokens):
            token.cancel()


async def beside(work: Callable[[], object]) -> None:
    """Wait for `work` on a thread that cannot hold up the end of the process."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def run() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001 - the process ends all the same
            log_failure("The session did not close as it should", error)
        finally:
            with suppress(RuntimeError):  # The loop is closed: nobody waits any more.
                loop.call_soon_threadsafe(done.set)

    Thread(target=run, name="notekin-close", daemon=True).start()
    await done.wait()
