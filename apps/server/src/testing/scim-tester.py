"""Checks a SCIM 2 service with scim2-tester, and prints each check that does not pass as a line of JSON.

Arguments: the service's address, its token.
"""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

url, token = sys.argv[1:3]
client = Client(base_url=url, headers={"Authorization": f"Bearer {token}"})
found = check_server(SyncSCIMClient(client))
other = [
    {"check": each.title, "status": each.status.name, "reason": each.reason}
    for each in found
    if each.status is not Status.SUCCESS
]
print(json.dumps({"passed": len(found) - len(other), "other": other}))
