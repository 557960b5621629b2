"""Answers as objects, Arrow tables and data frames."""

# The types of pandas and pyarrow come with packages of their own.
# pyright: basic

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Union

from ._core.reply import Reply

if TYPE_CHECKING:
    import pandas
    import pyarrow

ARROW = "application/vnd.apache.arrow.stream"


def objects(table: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
    """The rows of an answer by the names of its columns. Of columns with the same name, the last one counts."""
    names = [column["name"] for column in table["columns"]]
    for row in table["rows"]:
        yield dict(zip(names, row))


def to_arrow(reply: Reply) -> pyarrow.Table:
    """The rows of a reply that was asked for with `accept=rows.ARROW`. Needs the extra `arrow`."""
    if reply.content_type != ARROW:
        raise TypeError(f"The reply is {reply.content_type or 'empty'}; ask for it with accept={ARROW!r}.")
    _needed("pyarrow", "arrow")
    ipc: Any = importlib.import_module("pyarrow.ipc")
    return ipc.open_stream(reply.content).read_all()


def to_pandas(answer: Union[Reply, Mapping[str, Any]]) -> pandas.DataFrame:
    """The rows of an answer, or of a reply in Arrow, which keeps exact types. Needs the extra `pandas`."""
    pandas: Any = _needed("pandas", "pandas")
    if isinstance(answer, Reply):
        return to_arrow(answer).to_pandas()
    return pandas.DataFrame(answer["rows"], columns=[column["name"] for column in answer["columns"]])


def _needed(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"Install {module}: pip install 'analytics-platform-client[{extra}]'") from error
