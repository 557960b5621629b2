"""Lists, which are read page by page."""

from __future__ import annotations

from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Dict,
    Generator,
    Generic,
    Iterator,
    Mapping,
    Optional,
    TypeVar,
    cast,
)

Page = TypeVar("Page")
Item = TypeVar("Item")

# The largest offset of lists that have no cursor.
_MAX_OFFSET = 10_000


class _Place:
    """Where the next page begins."""

    def __init__(self, paging: str, query: Mapping[str, Any]) -> None:
        self._paging = paging
        self._query = query
        self._seen = int(query.get("offset") or 0)

    def after(self, page: Any) -> Optional[Dict[str, Any]]:
        """The query of the page after this one; `None` after the last one."""
        items = page["items"]
        if self._paging == "cursor":
            cursor = page.get("nextCursor")
            return {**self._query, "cursor": cursor, "offset": None} if cursor else None
        self._seen += len(items)
        total = page.get("total") or 0
        if not items or self._seen >= total:
            return None
        if self._seen > _MAX_OFFSET:
            raise ValueError(
                f"The list has {total} records; it can be read up to record {_MAX_OFFSET}."
                " Narrow it down with a filter."
            )
        return {**self._query, "offset": self._seen}


class Pages(Generic[Page, Item]):
    """Iterated, the records of all pages, of which one is in memory at a time. Nothing is read before it is needed."""

    def __init__(self, read: Callable[[Mapping[str, Any]], Any], paging: str, query: Mapping[str, Any]) -> None:
        self._read = read
        self._paging = paging
        self._query = query

    def page(self) -> Page:
        """The first page, with the total."""
        return cast("Page", self._read(self._query))

    def pages(self) -> Iterator[Page]:
        place = _Place(self._paging, self._query)
        query: Optional[Mapping[str, Any]] = self._query
        while query is not None:
            page = self._read(query)
            yield page
            query = place.after(page)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast("Any", page)["items"]


class AsyncPages(Generic[Page, Item]):
    """Awaited, the first page; iterated, the records of all pages, of which one is in memory at a time."""

    def __init__(
        self, read: Callable[[Mapping[str, Any]], Awaitable[Any]], paging: str, query: Mapping[str, Any]
    ) -> None:
        self._read = read
        self._paging = paging
        self._query = query

    async def page(self) -> Page:
        """The first page, with the total."""
        return cast("Page", await self._read(self._query))

    def __await__(self) -> Generator[Any, None, Page]:
        return self.page().__await__()

    async def pages(self) -> AsyncIterator[Page]:
        place = _Place(self._paging, self._query)
        query: Optional[Mapping[str, Any]] = self._query
        while query is not None:
            page = await self._read(query)
            yield page
            query = place.after(page)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in cast("Any", page)["items"]:
                yield item
