"""Threads for the work of requests, so that the loop only ever converts and waits."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from notekin.app.cancel import CancelToken

T = TypeVar("T")

_N_THREADS = 6


class RequestPool:
    """Runs blocking work, and stops it when whoever awaits it is cancelled."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_N_THREADS, thread_name_prefix="notekin-request")
        self._tokens: set[CancelToken] = set()

    async def run(self, work: Callable[[CancelToken], T]) -> T:
        """Return what `work` returns. Cancelled, work not yet started never starts, and work
        that runs is told through its token; what it still returns goes nowhere.
        """
        token = CancelToken()
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
