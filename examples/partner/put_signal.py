# BATON_BUS=<BusName> python3 put_signal.py <your event id>
import datetime, json, os, sys
import boto3

now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
signal = {"source": "website", "eventId": sys.argv[1], "kind": "form.submitted", "occurredAt": now, "receivedAt": now,
          "contact": {"name": "Ada Bell", "email": "ada@example.com"}, "request": {"words": "Leak over the kitchen", "category": "roof-repair"},
          "location": {"postalCode": "97201"}, "consent": {}, "more": {}}
entry = {"EventBusName": os.environ["BATON_BUS"], "Source": "baton.intake", "DetailType": "signal.received", "Detail": json.dumps({"schemaVersion": "1", "signal": signal})}
if boto3.client("events").put_events(Entries=[entry])["FailedEntryCount"] != 0:
    sys.exit("not taken: send it again, under the same event id")
