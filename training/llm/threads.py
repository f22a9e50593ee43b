"""Environments in programs that must not wait: an episode in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

Call: TypeAlias = Callable[..., Any]
"""Calls a function with arguments elsewhere; awaiting it gives what the function returns."""


@asynccontextmanager
async def own_thread() -> AsyncIterator[Call]:
    """Call functions in one thread, always the same: environments block, and some hold what belongs to a thread."""
    loop = asyncio.get_running_loop()
    pool = ThreadPoolExecutor(1, thread_name_prefix="ibench")

    async def call(function: Callable[..., Any], *given: Any) -> Any:
        return await loop.run_in_executor(pool, function, *given)

    try:
        yield call
    finally:
        pool.shutdown(wait=False)
