"""Runs a trivial Dagster job repeatedly in this process, with its records in a local SQLite database.

Prints the total time in milliseconds as JSON.

Arguments: the number of runs, and an empty folder.
"""

import csv
import json
import os
import sys
import time

count, folder = int(sys.argv[1]), sys.argv[2]
os.environ["DAGSTER_DISABLE_TELEMETRY"] = "true"
os.environ["DAGSTER_HOME"] = folder

import logging  # noqa: E402

from dagster import DagsterInstance, job, op  # noqa: E402

logging.disable(logging.CRITICAL)
SOURCE = os.path.join(folder, "tiny.csv")
with open(SOURCE, "w", newline="") as file:
    file.write("id\n1\n")


@op
def rows():
    with open(SOURCE, newline="") as file:
        return list(csv.DictReader(file))


@job
def trivial():
    rows()


with DagsterInstance.local_temp(folder) as instance:
    trivial.execute_in_process(instance=instance)
    started = time.perf_counter()
    for _ in range(count):
        assert trivial.execute_in_process(instance=instance).success
    print(json.dumps({"ms": (time.perf_counter() - started) * 1000}))
