"""Stores which digests of a period were sent: one item for each owner, one for the sweep that sends, one at the end."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.adapters.dynamodb.records.record_converter import Item, attribute_values
from scheduler.adapters.dynamodb.records.sort_keys import moment
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, put
from scheduler.core.history.digests.period import DigestPeriod
from scheduler.ports.job_store import SCHEDULE

DIGESTS = "DIGESTS#"
_FINISHED, _OWNER, _SENDING = "FINISHED", "OWNER#", "SENDING"
#: DynamoDB deletes the items after this time.
_RETENTION = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class DynamoDBDigestStore:
    table: Table

    def is_finished(self, period: DigestPeriod) -> bool:
        return self.table.item(attribute_values(_key(period, _FINISHED))) is not None

    def is_begun(self, period: DigestPeriod) -> bool:
        return self.table.item(attribute_values(_key(period, _SENDING))) is not None

    def claim(self, period: DigestPeriod, now: datetime, until: datetime) -> bool:
        claim = _marker(period, _SENDING) | attribute_values({"sends_until": moment(until)})
        return self.table.write(put(claim, f"{ABSENT} OR sends_until <= :now", {":now": moment(now)}))

    def finish(self, period: DigestPeriod) -> bool:
        return self.table.add(_marker(period, _FINISHED))

    def sent(self, period: DigestPeriod) -> Collection[str]:
        keys = (item["sk"]["S"] for item in self.table.partition(DIGESTS + period.name))
        return {key.removeprefix(_OWNER) for key in keys if key.startswith(_OWNER)}

    def add_sent(self, period: DigestPeriod, owner: str) -> None:
        self.table.write(put(_marker(period, _OWNER + owner)))


def _marker(period: DigestPeriod, sk: str) -> Item:
    expires = int((period.ends + _RETENTION).timestamp())
    return attribute_values({**_key(period, sk), "changed_by": SCHEDULE, "expires_at": expires})


def _key(period: DigestPeriod, sk: str) -> dict[str, str]:
    return {"pk": DIGESTS + period.name, "sk": sk}
