from __future__ import annotations

from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Awaitable, Callable, Mapping, Optional, Type, Union

import httpx2

from ._core.aio import AsyncSender
from ._core.retries import Try, settings_of
from ._core.sync import Sender
from .generated.all_resources import AsyncResources, Resources

if TYPE_CHECKING:
    from .uploads import AsyncUploads, Uploads


class Analytics(Resources):
    """The operations of the API by resource, such as `datasets.list()`, with the rights of an API key or a token.

    `url` is the address of the platform, `api_key` an API key, or `token` a function that returns the token for the next
    request. `timeout` are the seconds of a call with its retries, `retries` how often it is tried again. `on_try` is
    called after each try, without anything secret. Threads may share a client; close it, or use it in a `with` block.
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: Optional[str] = None,
        token: Optional[Callable[[], str]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        on_try: Optional[Callable[[Try], None]] = None,
        http: Optional[httpx2.Client] = None,
    ) -> None:
        settings = settings_of(url, timeout=timeout, retries=retries, headers=headers, on_try=on_try)
        self._owns_http = http is None
        self._sender = Sender(settings, token or api_key, http or httpx2.Client())

    @cached_property
    def uploads(self) -> Uploads:
        from .uploads import Uploads

        return Uploads(self.data_sources, self._sender.http)

    def close(self) -> None:
        if self._owns_http:
            self._sender.http.close()

    def __enter__(self) -> Analytics:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]] = None,
        error: Optional[BaseException] = None,
        trace: Optional[TracebackType] = None,
    ) -> None:
        self.close()


class AsyncAnalytics(AsyncResources):
    """As `Analytics`, for programs that use `asyncio`: calls are awaited, and lists iterated by `async for`."""

    def __init__(
        self,
        url: str,
        *,
        api_key: Optional[str] = None,
        token: Optional[Callable[[], Union[str, Awaitable[str]]]] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
        on_try: Optional[Callable[[Try], None]] = None,
        http: Optional[httpx2.AsyncClient] = None,
    ) -> None:
        settings = settings_of(url, timeout=timeout, retries=retries, headers=headers, on_try=on_try)
        self._owns_http = http is None
        self._sender = AsyncSender(settings, token or api_key, http or httpx2.AsyncClient())

    @cached_property
    def uploads(self) -> AsyncUploads:
        from .uploads import AsyncUploads

        return AsyncUploads(self.data_sources, self._sender.http)

    async def close(self) -> None:
        if self._owns_http:
            await self._sender.http.aclose()

    async def __aenter__(self) -> AsyncAnalytics:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]] = None,
        error: Optional[BaseException] = None,
        trace: Optional[TracebackType] = None,
    ) -> None:
        await self.close()
