"""What the methods of all resources are made of."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import aclosing, closing
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterator,
    Mapping,
    Optional,
    Sequence,
)

import httpx2

from .. import errors
from .operation import Operation, Request, request_of
from .pages import AsyncPages, Pages
from .streams import Connection, EventParser, LineSplitter

if TYPE_CHECKING:
    from .aio import AsyncSender
    from .sync import Sender

_Path = Sequence[object]
_Query = Mapping[str, Any]
_Options = Mapping[str, Any]
# What a stream may break off with.
_CUT_OFF = (errors.AnalyticsError, httpx2.RequestError, ValueError)


def _with_headers(options: _Options, connection: Connection) -> _Options:
    return {**options, "headers": connection.headers(options.get("headers"))}


class Resource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _json(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        return self._sender.json(request_of(operation, path, body, query, options))

    def _none(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> None:
        self._sender.none(request_of(operation, path, body, query, options))

    def _content(
        self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options, accept: Optional[str]
    ) -> Any:
        return self._sender.content(request_of(operation, path, body, query, options, accept))

    def _negotiated(
        self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options, accept: Optional[str]
    ) -> Any:
        if accept is None:
            return self._json(operation, path, body, query, options)
        return self._content(operation, path, body, query, options, accept)

    def _pages(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        request_of(operation, path, body, query, options)

        def read(more: _Query) -> Any:
            return self._json(operation, path, body, more, options)

        return Pages[Any, Any](read, operation.paging or "", query)

    def _lines(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        return _json_lines(self._sender, request_of(operation, path, body, query, options))

    def _events(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        request_of(operation, path, body, query, options)
        connection = Connection()

        def opened() -> httpx2.Response:
            more = _with_headers(options, connection)
            return self._sender.open(request_of(operation, path, body, query, more))

        return _events(opened, connection)


def _text_lines(response: httpx2.Response) -> Generator[str, None, None]:
    splitter = LineSplitter()
    try:
        for chunk in response.iter_bytes():
            yield from splitter.feed(chunk)
        yield from splitter.end()
    finally:
        # A reader that stops early ends the request.
        response.close()


def _json_lines(sender: Sender, request: Request) -> Iterator[Any]:
    with closing(_text_lines(sender.open(request))) as lines:
        try:
            for line in lines:
                if line:
                    yield json.loads(line)
        except (httpx2.RequestError, ValueError) as error:
            raise errors.ConnectionFailed(f"{request.name} was cut off: {error}") from error


def _events(opened: Callable[[], httpx2.Response], connection: Connection) -> Iterator[Any]:
    """Events until one named `end`. A lost connection is opened again after the last event that arrived."""
    while True:
        failure: Optional[Exception] = None
        parser = EventParser()
        try:
            with closing(_text_lines(opened())) as lines:
                for line in lines:
                    event = parser.feed(line)
                    if event is not None:
                        yield from connection.wanted(event)
                    if connection.has_ended:
                        return
        except _CUT_OFF as error:
            failure = error
        time.sleep(connection.wait_before_next(failure))


class AsyncResource:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def _json(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        return await self._sender.json(request_of(operation, path, body, query, options))

    async def _none(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> None:
        await self._sender.none(request_of(operation, path, body, query, options))

    async def _content(
        self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options, accept: Optional[str]
    ) -> Any:
        return await self._sender.content(request_of(operation, path, body, query, options, accept))

    async def _negotiated(
        self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options, accept: Optional[str]
    ) -> Any:
        if accept is None:
            return await self._json(operation, path, body, query, options)
        return await self._content(operation, path, body, query, options, accept)

    def _pages(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        request_of(operation, path, body, query, options)

        async def read(more: _Query) -> Any:
            return await self._json(operation, path, body, more, options)

        return AsyncPages[Any, Any](read, operation.paging or "", query)

    def _lines(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        return _async_json_lines(self._sender, request_of(operation, path, body, query, options))

    def _events(self, operation: Operation, path: _Path, body: Any, query: _Query, options: _Options) -> Any:
        request_of(operation, path, body, query, options)
        connection = Connection()

        async def opened() -> httpx2.Response:
            more = _with_headers(options, connection)
            return await self._sender.open(request_of(operation, path, body, query, more))

        return _async_events(opened, connection)


async def _async_text_lines(response: httpx2.Response) -> AsyncGenerator[str, None]:
    splitter = LineSplitter()
    try:
        async for chunk in response.aiter_bytes():
            for line in splitter.feed(chunk):
                yield line
        for line in splitter.end():
            yield line
    finally:
        # A reader that stops early ends the request.
        await response.aclose()


async def _async_json_lines(sender: AsyncSender, request: Request) -> AsyncIterator[Any]:
    async with aclosing(_async_text_lines(await sender.open(request))) as lines:
        try:
            async for line in lines:
                if line:
                    yield json.loads(line)
        except (httpx2.RequestError, ValueError) as error:
            raise errors.ConnectionFailed(f"{request.name} was cut off: {error}") from error


async def _async_events(opened: Callable[[], Awaitable[httpx2.Response]], connection: Connection) -> AsyncIterator[Any]:
    """Events until one named `end`. A lost connection is opened again after the last event that arrived."""
    while True:
        failure: Optional[Exception] = None
        parser = EventParser()
        try:
            async with aclosing(_async_text_lines(await opened())) as lines:
                async for line in lines:
                    event = parser.feed(line)
                    if event is not None:
                        for wanted in connection.wanted(event):
                            yield wanted
                    if connection.has_ended:
                        return
        except _CUT_OFF as error:
            failure = error
        await asyncio.sleep(connection.wait_before_next(failure))
