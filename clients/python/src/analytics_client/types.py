"""The shapes of requests and replies. Import them for checkers of types only: programs need none of them."""

from .generated.types import *  # noqa: F403
