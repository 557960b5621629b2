"""The API of the analytics platform."""

from . import errors, rows, webhooks
from ._core.pages import AsyncPages, Pages
from ._core.reply import Reply
from ._core.retries import Try
from .client import Analytics, AsyncAnalytics

__all__ = [
    "Analytics",
    "AsyncAnalytics",
    "AsyncPages",
    "Pages",
    "Reply",
    "Try",
    "errors",
    "rows",
    "webhooks",
]
