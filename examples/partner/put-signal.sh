#!/bin/sh
# BATON_BUS=<BusName> sh put-signal.sh <your event id>
set -eu
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
signal='{"source":"website","eventId":"'$1'","kind":"form.submitted","occurredAt":"'$now'","receivedAt":"'$now'",
  "contact":{"name":"Ada Bell","email":"ada@example.com"},"request":{"words":"Leak over the kitchen","category":"roof-repair"},
  "location":{"postalCode":"97201"},"consent":{},"more":{}}'
failed=$(aws events put-events --query FailedEntryCount --output text --entries \
  "EventBusName=$BATON_BUS,Source=baton.intake,DetailType=signal.received,Detail='{\"schemaVersion\":\"1\",\"signal\":$signal}'")
[ "$failed" = 0 ] || { echo 'not taken: send it again, under the same event id' >&2; exit 1; }
