"""Works a morning through a generated client of the scheduler's API, and prints what it saw as JSON. No call is made by hand.

Arguments: the server's address, an email, a password, a date of the small clinic.
"""

import datetime
import io
import json
import sys

from clinic_api import AuthenticatedClient, Client
from clinic_api.api.absences import process
from clinic_api.api.actions import actions, commits, undo, workbook
from clinic_api.api.calendar import slots
from clinic_api.api.imports import import_files
from clinic_api.api.profiles import get_therapist, list_therapists, update_therapist
from clinic_api.api.session import session, sign_out, token
from clinic_api.models import (
    ActionsBody,
    Detail,
    ImportFilesBody,
    ImportFilesDryRun,
    ProcessBody,
    ProcessBodyQueriesItemType0 as TherapistAway,
    TherapistBody,
    TokenBody,
)
from clinic_api.types import File

url, email, password, day = sys.argv[1:5]
date = datetime.date.fromisoformat(day)
seen = {}


def refused(reply, status):
    """The text of a refusal with this status."""
    assert reply.status_code == status, f"{reply.status_code} instead of {status}: {reply.content[:300]}"
    assert isinstance(reply.parsed, Detail), reply.parsed
    detail = reply.parsed.detail
    return detail if isinstance(detail, str) else detail.message


# Signing in: a wrong password is refused, the right one gives a token.
anyone = Client(base_url=url)
seen["wrong password"] = refused(token.sync_detailed(client=anyone, body=TokenBody(email, "not it at all")), 401)
seen["no token"] = refused(session.sync_detailed(client=AuthenticatedClient(base_url=url, token="x.y.z")), 401)
signed = token.sync(client=anyone, body=TokenBody(email, password))
client = AuthenticatedClient(base_url=url, token=signed.access_token)
me = session.sync(client=client)
assert me.session_ends > datetime.datetime.now(datetime.timezone.utc)
seen["account"] = me.account.email

# Reads the day, and saves an absence, whose reply holds options.
before = slots.sync(client=client, date=date, location="altamonte")
seen["booked"] = sorted(each.client_name for each in before.appointments)


def away(begin, end):
    query = TherapistAway(
        type_="therapist_cancel",
        date=date,
        begin=begin,
        end=end,
        location="altamonte",
        therapist="Ana Ruiz",
        replaces=True,
    )
    return process.sync_detailed(
        client=client, body=ProcessBody(queries=[query], date=date, location="altamonte")
    )


seen["backwards"] = refused(away("12:00", "08:00"), 422)
proposal = away("00:00", "23:59").parsed.to_dict()

# Commits the first option of each client. Sending the same key again returns the same commit.
chosen, full = {}, {}
state = f"{proposal['metadata']['proposal']}.{proposal['metadata']['revision']}.1"
for on, clients in proposal["data"].items():
    chosen[on] = {name: "Option 1" for name in clients}
    full[on] = {
        name: {
            "optionName": "Option 1",
            "clientName": name,
            "branch_state": state,
            "timeSlots": options["Option 1"],
        }
        for name, options in clients.items()
    }
body = ActionsBody.from_dict(
    {
        "selectedOptions": chosen,
        "selectedOptionsFullData": full,
        "solutions": proposal["data"],
        "metadata": proposal["metadata"],
        "backed_up_therapists": proposal["backed_up_therapists"],
    }
)
as_json = client.with_headers({"Accept": "application/json"})
first = actions.sync(client=as_json, body=body, idempotency_key="a morning")
again = actions.sync(client=as_json, body=body, idempotency_key="a morning")
assert first.commit == again.commit
seen["to"] = sorted({row.to_therapist for row in first.actions})

listed = commits.sync(client=client, location="altamonte", date=date)
assert [str(each.id) for each in listed] == [str(first.commit)]
assert listed[0].dates == [date] and listed[0].committed_at.tzinfo is not None
book = workbook.sync_detailed(client=client, id=first.commit)
assert book.headers["x-commit"] == str(first.commit)
seen["workbook"] = book.parsed.payload.read()[:2].decode()
assert undo.sync(client=client, id=first.commit).undone_at is not None

# Saving over a newer version is refused.
person = next(each for each in list_therapists.sync(client=client) if each.display_name == "Ana Ruiz")
assert isinstance(person.start_date, datetime.date)
stored = get_therapist.sync(client=client, id=person.id).to_dict()
edit = TherapistBody.from_dict({**stored, "last_name": "Ruiz Soto", "version": 0})
seen["newer version"] = refused(update_therapist.sync_detailed(client=client, id=person.id, body=edit), 409)

# Uploads a file. This account may not import, so the form is refused.
form = ImportFilesBody(clients=File(payload=io.BytesIO(b"id,first_name\n"), file_name="clients.csv", mime_type="text/csv"))
seen["import"] = refused(import_files.sync_detailed(client=client, body=form, dry_run=ImportFilesDryRun.TRUE), 403)

left = sign_out.sync_detailed(client=client)
assert left.status_code == 204 and left.content == b"", left
seen["signed out"] = refused(session.sync_detailed(client=client), 401)

print(json.dumps(seen))
