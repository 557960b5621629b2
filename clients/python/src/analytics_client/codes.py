"""An exception for every code of errors, such as `codes.RunOverlap` for `RUN_OVERLAP`."""

from .generated.codes import *  # noqa: F403
