"""Extracts a table of Postgres into Parquet files with dlt, and prints the milliseconds and the row count as JSON.

Arguments: the URL of the server, the table, the backend of dlt (`connectorx` or `pyarrow`), and an empty folder.
"""

import json
import os
import sys
import time

url, table, backend, folder = sys.argv[1:5]
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"

import dlt  # noqa: E402  (reads its settings while it is imported)
from dlt.sources.sql_database import sql_table  # noqa: E402

pipeline = dlt.pipeline(
    pipeline_name="sales",
    pipelines_dir=os.path.join(folder, "state"),
    destination=dlt.destinations.filesystem(bucket_url=os.path.join(folder, "files")),
    dataset_name="sales",
)
started = time.perf_counter()
rows = sql_table(
    credentials=url.replace("postgresql:", "postgresql+psycopg2:"),
    table=table,
    backend=backend,
    backend_kwargs={"conn": url} if backend == "connectorx" else {},
    reflection_level="full_with_precision",
)
pipeline.run(rows, loader_file_format="parquet")
milliseconds = (time.perf_counter() - started) * 1000
counts = pipeline.last_trace.last_normalize_info.row_counts
print(json.dumps({"ms": milliseconds, "rows": counts[table]}))
