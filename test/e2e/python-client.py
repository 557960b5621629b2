"""Calls the API with a client that openapi-python-client has generated from its document.

    python python-client.py <base URL>       (the access token in API_TOKEN; the client in the working directory)

Imports every module, then makes the calls below. Ends with an error if a reply is not what its type says.
"""

import importlib
import os
import pkgutil
import sys
from uuid import uuid4

import client
from client.api.data_sources import create_data_source, get_data_source, list_data_sources
from client.api.pipelines import create_pipeline, get_pipeline
from client.models.create_file_data_source import CreateFileDataSource
from client.models.create_pipeline import CreatePipeline
from client.models.file_data_source import FileDataSource
from client.models.pipeline import Pipeline
from client.models.problem import Problem

modules = [importlib.import_module(each.name) for each in pkgutil.walk_packages(client.__path__, "client.")]
api = client.AuthenticatedClient(base_url=sys.argv[1], token=os.environ["API_TOKEN"])

made = create_data_source.sync(client=api, body=CreateFileDataSource.from_dict({"name": "Files", "type": "file"}))
assert isinstance(made, FileDataSource) and made.name == "Files", made
assert get_data_source.sync(made.id, client=api) == made
found = list_data_sources.sync(client=api, name="Files", limit=10)
assert [each.id for each in found.items] == [made.id], found

steps = [{"id": "one", "type": "transform_sql", "config": {"sql": "SELECT 1 AS n"}}]
body = CreatePipeline.from_dict({"name": "One", "dag": {"version": 1, "steps": steps}})
pipeline = create_pipeline.sync(client=api, body=body)
assert isinstance(pipeline, Pipeline) and pipeline.dag.steps[0].id == "one", pipeline
missing = get_pipeline.sync(uuid4(), client=api)
assert isinstance(missing, Problem) and missing.code == "PIPELINE_NOT_FOUND", missing

print(f"{len(modules)} modules imported, 6 calls made")
