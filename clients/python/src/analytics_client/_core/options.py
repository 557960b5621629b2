"""Settings of one call."""

from __future__ import annotations

from typing import Callable, Literal, Mapping, TypedDict, Union

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
    idempotency_key: Union[str, Literal[False]]
    """Calls with the same key are carried out once. By default every call has its own, the same on each try.

    With `False`, and with `generateSecret` in its body, it has none, and is not repeated if it may have been carried
    out: replies under a key are stored, and such a secret is shown only once.
    """


class Matched(CallOptions, total=False):
    if_match: Union[int, str]
    """The revision, or the `ETag`, that was read: the call fails if the record has changed."""


class KeyedMatched(Keyed, Matched, total=False):
    pass
