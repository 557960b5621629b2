"""Uploads of files to data sources, in parts if they are large."""

from __future__ import annotations

import asyncio
import io
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterator, BinaryIO, Callable, Dict, Iterator, List, Mapping, Optional, Union

import httpx2

from .errors import AnalyticsError, ConnectionFailed

if TYPE_CHECKING:
    from .generated.data_sources import AsyncDataSources, DataSources

Content = Union[bytes, "os.PathLike[str]", BinaryIO]
"""Bytes, the path of a file as a `Path`, or a binary file that can be sought. Files are read as they are sent."""

PARALLEL = 4
_TRIES = 4
_FIRST_WAIT = 0.5
_CHUNK = 1024**2
# Of one write or read, so that a dead connection is noticed.
_TIMEOUT = 60.0


@dataclass(frozen=True)
class Progress:
    sent_bytes: int
    total_bytes: int


@dataclass(frozen=True)
class _Part:
    number: int
    url: str
    start: int
    size: int


class _File:
    """The content of an upload; threads may read it at the same time."""

    def __init__(self, content: Content) -> None:
        if isinstance(content, str):
            raise TypeError("Pass the path of a file as a pathlib.Path, or the content of a file as bytes.")
        self._owns = isinstance(content, (bytes, os.PathLike))
        if isinstance(content, bytes):
            self._file: BinaryIO = io.BytesIO(content)
        elif isinstance(content, os.PathLike):
            self._file = open(content, "rb")
        else:
            self._file = content
        self._lock = threading.Lock()
        self.size = self._file.seek(0, io.SEEK_END)

    def close(self) -> None:
        if self._owns:
            self._file.close()

    def read(self, start: int, size: int) -> bytes:
        with self._lock:
            self._file.seek(start)
            read = self._file.read(size)
        if len(read) != size:
            raise AnalyticsError("The file has changed while it was uploaded.")
        return read

    def chunks(self, start: int, size: int) -> Iterator[bytes]:
        for at in range(start, start + size, _CHUNK):
            yield self.read(at, min(_CHUNK, start + size - at))

    async def async_chunks(self, start: int, size: int) -> AsyncIterator[bytes]:
        for at in range(start, start + size, _CHUNK):
            yield await asyncio.to_thread(self.read, at, min(_CHUNK, start + size - at))


class _Progress:
    def __init__(self, total: int, report: Optional[Callable[[Progress], None]]) -> None:
        self._total, self._report = total, report
        self._sent = 0
        self._lock = threading.Lock()

    def add(self, size: int) -> None:
        with self._lock:
            self._sent += size
            if self._report is not None:
                self._report(Progress(self._sent, self._total))


def _described(path: str, size: int, content_type: Optional[str]) -> Any:
    return {"path": path, "size": size, **({} if content_type is None else {"contentType": content_type})}


def _parts_of(begun: Mapping[str, Any]) -> List[_Part]:
    parts: List[_Part] = []
    start = 0
    for part in begun["parts"]:
        parts.append(_Part(part["partNumber"], part["url"], start, part["size"]))
        start += part["size"]
    return parts


def _tags(parts: List[_Part], tags: List[str]) -> List[Any]:
    return [{"partNumber": part.number, "etag": tag} for part, tag in zip(parts, tags)]


def _outcome(response: httpx2.Response) -> Union[str, AnalyticsError]:
    """The tag of what was sent, or what went wrong: a `ConnectionFailed` may pass."""
    if response.is_success:
        return str(response.headers.get("etag", ""))
    text = f"The upload was answered with {response.status_code}: {response.text[:200]}"
    may_pass = response.status_code >= 500 or response.status_code in (408, 429)
    return ConnectionFailed(text) if may_pass else AnalyticsError(text)


def _wait(attempt: int, failure: AnalyticsError) -> float:
    if attempt == _TRIES or not isinstance(failure, ConnectionFailed):
        raise failure
    return _FIRST_WAIT * 2.0 ** (attempt - 1)


def _request(size: int, headers: Mapping[str, str]) -> Dict[str, Any]:
    # Storage accepts no content of unknown length.
    return {"headers": {**headers, "content-length": str(size)}, "timeout": _TIMEOUT}


class Uploads:
    def __init__(self, data_sources: DataSources, http: httpx2.Client) -> None:
        self._data_sources = data_sources
        self._http = http

    def file(
        self,
        source_id: str,
        path: str,
        content: Content,
        *,
        content_type: Optional[str] = None,
        parallel: int = PARALLEL,
        on_progress: Optional[Callable[[Progress], None]] = None,
    ) -> None:
        """Uploads a file to a data source of the type `file`. Each part is tried again by itself.

        A file that cannot be completed is abandoned: the path keeps its former content.
        """
        file = _File(content)
        try:
            progress = _Progress(file.size, on_progress)
            begun = self._data_sources.create_upload(source_id, _described(path, file.size, content_type))
            if begun["kind"] == "single":
                self._put(begun["url"], file, 0, file.size, begun["headers"])
                progress.add(file.size)
                return
            upload_id, parts = begun["uploadId"], _parts_of(begun)
            try:
                tags = self._put_parts(file, parts, parallel, progress)
                completed: Any = {"path": path, "parts": _tags(parts, tags)}
                self._data_sources.complete_upload(source_id, upload_id, completed)
            except BaseException:
                self._abort(source_id, upload_id, path)
                raise
        finally:
            file.close()

    def _put_parts(self, file: _File, parts: List[_Part], parallel: int, progress: _Progress) -> List[str]:
        has_failed = threading.Event()

        def put(part: _Part) -> str:
            if has_failed.is_set():
                return ""
            try:
                tag = self._put(part.url, file, part.start, part.size, {})
                progress.add(part.size)
                return tag
            except BaseException:
                has_failed.set()
                raise

        with ThreadPoolExecutor(max_workers=max(parallel, 1)) as pool:
            return list(pool.map(put, parts))

    def _abort(self, source_id: str, upload_id: str, path: str) -> None:
        try:
            self._data_sources.abort_upload(source_id, upload_id, path=path)
        except AnalyticsError:
            pass  # The platform removes it later.

    def _put(self, url: str, file: _File, start: int, size: int, headers: Mapping[str, str]) -> str:
        """Sends bytes to a presigned address and returns their tag. Sending them again has the same effect."""
        attempt = 0
        while True:
            attempt += 1
            try:
                outcome = _outcome(self._http.put(url, content=file.chunks(start, size), **_request(size, headers)))
            except httpx2.RequestError as error:
                outcome = ConnectionFailed(f"The upload got no reply: {error}")
            if isinstance(outcome, str):
                return outcome
            time.sleep(_wait(attempt, outcome))


class AsyncUploads:
    def __init__(self, data_sources: AsyncDataSources, http: httpx2.AsyncClient) -> None:
        self._data_sources = data_sources
        self._http = http

    async def file(
        self,
        source_id: str,
        path: str,
        content: Content,
        *,
        content_type: Optional[str] = None,
        parallel: int = PARALLEL,
        on_progress: Optional[Callable[[Progress], None]] = None,
    ) -> None:
        """Uploads a file to a data source of the type `file`. Each part is tried again by itself.

        A file that cannot be completed is abandoned: the path keeps its former content.
        """
        file = _File(content)
        try:
            progress = _Progress(file.size, on_progress)
            begun = await self._data_sources.create_upload(source_id, _described(path, file.size, content_type))
            if begun["kind"] == "single":
                await self._put(begun["url"], file, 0, file.size, begun["headers"])
                progress.add(file.size)
                return
            upload_id, parts = begun["uploadId"], _parts_of(begun)
            try:
                tags = await self._put_parts(file, parts, parallel, progress)
                completed: Any = {"path": path, "parts": _tags(parts, tags)}
                await self._data_sources.complete_upload(source_id, upload_id, completed)
            except BaseException:
                await self._abort(source_id, upload_id, path)
                raise
        finally:
            file.close()

    async def _put_parts(self, file: _File, parts: List[_Part], parallel: int, progress: _Progress) -> List[str]:
        turns = asyncio.Semaphore(max(parallel, 1))

        async def put(part: _Part) -> str:
            async with turns:
                tag = await self._put(part.url, file, part.start, part.size, {})
            progress.add(part.size)
            return tag

        tasks = [asyncio.ensure_future(put(part)) for part in parts]
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _abort(self, source_id: str, upload_id: str, path: str) -> None:
        try:
            await self._data_sources.abort_upload(source_id, upload_id, path=path)
        except AnalyticsError:
            pass  # The platform removes it later.

    async def _put(self, url: str, file: _File, start: int, size: int, headers: Mapping[str, str]) -> str:
        """Sends bytes to a presigned address and returns their tag. Sending them again has the same effect."""
        attempt = 0
        while True:
            attempt += 1
            try:
                content = file.async_chunks(start, size)
                outcome = _outcome(await self._http.put(url, content=content, **_request(size, headers)))
            except httpx2.RequestError as error:
                outcome = ConnectionFailed(f"The upload got no reply: {error}")
            if isinstance(outcome, str):
                return outcome
            await asyncio.sleep(_wait(attempt, outcome))
