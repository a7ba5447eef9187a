"""Names of people: their email addresses in the user pool, if these are verified and belong to only one person."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

# Plain ASCII: letters of other alphabets may look the same.
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,189}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PoolUser:
    """A user of the hosted page's user pool."""

    id: str
    mail: str
    is_verified: bool  # whether the user pool, or the company's provider, has verified the address


def names_of_people(users: Iterable[PoolUser]) -> dict[str, str]:
    """Returns the name of each person, by ID. A name that two users of the pool share belongs to neither.

    So the successor to an address, or somebody who claims it, does not pass for the person who had it first.
    """
    known = tuple(users)
    claims = Counter(user.mail.casefold() for user in known)
    named = (user for user in known if user.is_verified and _MAIL.fullmatch(user.mail))
    return {user.id: user.mail for user in named if claims[user.mail.casefold()] == 1}
