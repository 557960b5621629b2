"""Streams of lines and of server-sent events, as both clients read them."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, Dict, Iterator, List, Mapping, Optional

from .. import errors

# A stream without line ends must not fill the memory.
_MAX_LINE = 16 * 1024**2
_FIRST_WAIT = 0.5
_MAX_WAIT = 15.0
# Of connections in a row without any event.
_MAX_LOST = 8
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


class LineSplitter:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""

    def feed(self, chunk: bytes) -> List[str]:
        """The lines that are complete now, without their ends."""
        lines = _LINE_END.split(self._rest + self._decoder.decode(chunk))
        self._rest = lines.pop()
        if len(self._rest) > _MAX_LINE:
            raise errors.ConnectionFailed(f"A line of the stream has more than {_MAX_LINE} characters.")
        return lines

    def end(self) -> List[str]:
        return [self._rest] if self._rest else []


class EventParser:
    """Makes events of lines."""

    def __init__(self) -> None:
        self._event, self._id = "message", ""
        self._data: List[str] = []

    def feed(self, line: str) -> Optional[Dict[str, Any]]:
        """The event that ends with this line, if one does."""
        if line == "":
            event, data = self._event, self._data
            self._event, self._data = "message", []
            return {"event": event, "data": json.loads("\n".join(data)), "id": self._id} if data else None
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)
        elif field == "id":
            self._id = value
        return None


class Connection:
    """What survives the connections of one stream of events: the last event, and how many in a row brought none."""

    def __init__(self) -> None:
        self._last_id: Optional[str] = None
        self._lost = 0
        self.has_ended = False

    def headers(self, given: Optional[Mapping[str, str]]) -> Dict[str, str]:
        return {**(given or {}), **({} if self._last_id is None else {"last-event-id": self._last_id})}

    def wanted(self, event: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
        """The event, unless it is about the connection."""
        self._lost = -1
        self._last_id = event["id"] or self._last_id
        self.has_ended = event["event"] == "end"
        if event["event"] not in ("heartbeat", "reconnect"):
            yield {**event, "id": self._last_id or ""}

    def wait_before_next(self, failure: Optional[Exception]) -> float:
        """The seconds to wait before the stream is opened again. Raises what it failed with if it should not be."""
        error = failure or errors.ConnectionFailed("The stream of events ends again and again without an event.")
        is_final = isinstance(error, errors.ApiError) and error.status < 500
        if is_final or self._lost >= _MAX_LOST:
            if isinstance(error, errors.AnalyticsError):
                raise error
            raise errors.ConnectionFailed(f"The stream of events was cut off: {error}") from error
        wait = min(_FIRST_WAIT * 2.0**self._lost, _MAX_WAIT) if self._lost >= 0 else 0.0
        self._lost += 1
        return wait
