"""Patterns of principals: `*`, `root`, `role/NAME`, `user/NAME`, `person/ID`, and ARNs of roles and users.

`*` matches any text. A person who signs in at the hosted page also matches patterns for the role that the person's
group grants.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from scheduler.core.jobs.principal import PERSON_ID, Principal, PrincipalKind

_NAME = r"[\w+=,.@*-]+"
NAMED = re.compile(rf"(?:arn:aws[a-z-]*:iam::(\d{{12}}):)?(role|user)/((?:[\w+=,.@/*-]+/)?)({_NAME})", re.ASCII)
PERSON = re.compile(rf"{PrincipalKind.PERSON}/(\*|{PERSON_ID})")
_SESSION = "assumed-role/"
#: The prefix of the names of roles that IAM Identity Center creates, one for each permission set and account.
_IDENTITY_CENTER = "AWSReservedSSO_"
EVERYBODY = "*"


@dataclass(frozen=True, slots=True)
class PrincipalPattern:
    """A pattern that matches principals in one account: the queue's own, unless an ARN names another."""

    account: str | None
    kind: PrincipalKind | None  # None: of any kind
    name: str = ""
    path: str = ""  # compared for users only: the ARN of a role's caller does not contain the role's path

    @classmethod
    def parse(cls, text: str) -> "PrincipalPattern":
        """Parses a pattern. Raises ValueError, which lists the allowed forms."""
        if text == EVERYBODY:
            return cls(None, None)
        if text == PrincipalKind.ROOT:
            return cls(None, PrincipalKind.ROOT)
        if person := PERSON.fullmatch(text):
            return cls(None, PrincipalKind.PERSON, person[1])
        found = NAMED.fullmatch(text)
        if found is None:
            raise ValueError(_problem_of(text))
        account, kind, path, name = found.groups()
        if kind == PrincipalKind.ROLE and path and "*" in text:
            raise ValueError("has a path and a *: the path of a caller's role is not known, so give the whole name")
        return cls(account, PrincipalKind(kind), name, path)

    @property
    def is_one_role_of_identity_center(self) -> bool:
        """Returns whether the pattern is the full name of one IAM Identity Center role, without `*`.

        With a `*`, anyone who may create roles could create another role that also matches.
        """
        is_role = self.kind is PrincipalKind.ROLE and self.name.startswith(_IDENTITY_CENTER)
        return is_role and "*" not in self.name

    def matches(self, principal: Principal, own_account: str) -> bool:
        is_role_of_person = self.kind is PrincipalKind.ROLE and principal.kind is PrincipalKind.PERSON
        return (
            principal.account == (self.account or own_account)
            and (self.kind in (None, principal.kind) or is_role_of_person)
            and fnmatchcase(principal.role if is_role_of_person else principal.name, self.name or "*")
            and (not self.path or self.kind is PrincipalKind.ROLE or fnmatchcase(principal.path, self.path))
        )


def _problem_of(text: str) -> str:
    if _SESSION in text:
        return "names a session, and callers choose session names: name the role, as in role/Vision"
    return (
        "must be role/NAME, user/NAME, person/ID, the ARN of a role or a user, root, "
        "or * (which also matches any text in a name)"
    )
