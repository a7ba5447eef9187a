"""Defects in the digests."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count

import pytest

from scheduler.core.history.digests.owner_now import OwnerNow
from scheduler.core.history.digests.period import DigestPeriod
from scheduler.core.history.notices import Notice
from scheduler.cycle.digests import Digests, OwnerOf, OwnersReader, QueueNow

_send = Digests._send
_read = OwnersReader.read


def mark_before_sending(patches: pytest.MonkeyPatch) -> None:
    def marked(digests: Digests, notice: Notice, period: DigestPeriod) -> bool:
        digests.store.add_sent(period, notice.owner)
        return _send(digests, notice, period)

    patches.setattr(Digests, "_send", marked)


def give_each_digest_its_own_id(patches: pytest.MonkeyPatch) -> None:
    numbers = count()

    def sent(digests: Digests, notice: Notice, period: DigestPeriod) -> bool:
        return _send(digests, replace(notice, id=f"{notice.id}/{next(numbers)}"), period)

    patches.setattr(Digests, "_send", sent)


def leave_out_an_owner(patches: pytest.MonkeyPatch) -> None:
    def read(reader: OwnersReader, names: Iterable[str], queue: QueueNow, owner_of: OwnerOf) -> Mapping[str, OwnerNow]:
        found = _read(reader, names, queue, owner_of)
        return {owner: found[owner] for owner in sorted(found)[1:]}

    patches.setattr(OwnersReader, "read", read)
