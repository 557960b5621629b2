"""Runs the checks of scim2-tester against a SCIM service.

    python scim-tester.py <base URL>       (the token in SCIM_TOKEN)

Prints every check that did not succeed, and ends with 1 if there is one.
Needs `pip install scim2-tester scim2-client[httpx2]`.
"""

import os
import sys

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

base_url = sys.argv[1]
headers = {"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"}
with httpx2.Client(base_url=base_url, headers=headers, timeout=30) as http:
    results = check_server(SyncSCIMClient(http))

succeeded = [each for each in results if each.status in (Status.SUCCESS, Status.COMPLIANT, Status.ACCEPTABLE)]
for each in results:
    if each in succeeded:
        continue
    print(f"{each.status.name} {each.title} {each.resource_type or ''}: {each.reason}")
    if each.data and "-v" in sys.argv:
        print(f"    {str(each.data)[:2000]}")
acceptable = sum(1 for each in results if each.status == Status.ACCEPTABLE)
print(f"{len(results)} checks: {len(succeeded)} succeeded ({acceptable} acceptable), {len(results) - len(succeeded)} did not")
sys.exit(0 if len(succeeded) == len(results) else 1)
