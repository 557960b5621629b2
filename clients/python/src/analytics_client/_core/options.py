"""Settings of one call."""

from __future__ import annotations

from typing import Callable, Mapping, TypedDict, Union

from .reply import Reply


class CallOptions(TypedDict, total=False):
    timeout: float
    """Seconds for the whole call with its retries; 60 by default, and none for streams."""
    headers: Mapping[str, str]
    retries: int
    """How often a call is tried again after a failure that may pass; 2 by default."""
    on_reply: Callable[[Reply], None]
    """Called with the reply and its headers, such as the `ETag`."""


class Keyed(CallOptions, total=False):
    idempotency_key: str
    """Calls with the same key are carried out once. By default every call has its own, the same on each try."""


class Matched(CallOptions, total=False):
    if_match: Union[int, str]
    """The revision, or the `ETag`, that was read: the call fails if the record has changed."""


class KeyedMatched(Keyed, Matched, total=False):
    pass
