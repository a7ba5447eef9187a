"""Identifies the principal behind a caller's ARN: a role (with any session name), a user, a person, or root."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

# API Gateway reports a role without its path (aws-facts 4.44), and the caller that assumes a role chooses the session
# name. So account and role name identify a role: no two roles in an account have the same name, whatever their paths.
_ROLE = re.compile(r"arn:aws[a-z-]*:sts::(\d{12}):assumed-role/([\w+=,.@-]{1,64})/[\w+=,.@-]{1,64}", re.ASCII)
_USER = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):user/((?:[!-~]{1,510}/)?)([\w+=,.@-]{1,64})", re.ASCII)
_ROOT = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):root", re.ASCII)
# API Gateway reports no ARN of this form: `core/callers/hosted_page.py` composes it for people who sign in at the
# hosted page.
PERSON_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_PERSON = re.compile(rf"arn:aws[a-z-]*:sts::(\d{{12}}):person/([\w+=,.@-]{{1,64}})/({PERSON_ID})", re.ASCII)
#: The owner of an unreadable job.
UNKNOWN_OWNER = "unknown"
#: In place of a session name. Names, patterns and teams select this ARN as they select the role's sessions.
_ALL_SESSIONS = "all-sessions"
_NAMED_SESSION = re.compile(r"assumed-role/[^/]+/(?!\*$)")


class PrincipalKind(StrEnum):
    ROLE = "role"
    USER = "user"
    ROOT = "root"
    PERSON = "person"  # a person in the hosted page's user pool


@dataclass(frozen=True, slots=True)
class Principal:
    account: str
    kind: PrincipalKind
    name: str = ""  # the root user has none
    path: str = field(default="", compare=False)  # a user's path; if it changes, the principal stays the same
    role: str = field(default="", compare=False)  # a person's role; if the group changes, the principal stays the same
    session: str = ""  # a role's session name, only if operators trust it: then each session is a separate principal

    def __str__(self) -> str:
        return "/".join(filter(None, (self.kind, self.name, self.session)))


def principal_of(arn: str) -> Principal | None:
    """Returns the principal behind a caller's ARN; None if no administrator named it, as for federated users."""
    if role := _ROLE.fullmatch(arn):
        return Principal(role[1], PrincipalKind.ROLE, role[2])
    if user := _USER.fullmatch(arn):
        return Principal(user[1], PrincipalKind.USER, user[3], user[2])
    if root := _ROOT.fullmatch(arn):
        return Principal(root[1], PrincipalKind.ROOT)
    if person := _PERSON.fullmatch(arn):
        return Principal(person[1], PrincipalKind.PERSON, person[3], role=person[2])
    return None


@lru_cache(maxsize=65_536)
def owner_key_of(arn: str) -> str:
    """Returns the ARN without a role's session name or a person's role.

    So all of a role's sessions share limits and client tokens, and a person keeps them after moving to another group.
    """
    # A CI job often has a new session in each run, and a caller could choose a new session to exceed a limit.
    match principal_of(arn):
        case Principal(kind=PrincipalKind.ROLE):
            return arn.rpartition("/")[0]
        case Principal(kind=PrincipalKind.PERSON, role=role):
            return arn.replace(f":person/{role}/", ":person/", 1)
    return arn


def all_sessions_of(arn: str) -> str:
    """Returns an ARN that stands for all sessions of the caller's role; the ARN itself if the caller is no role."""
    principal = principal_of(arn)
    is_role = principal is not None and principal.kind is PrincipalKind.ROLE
    return f"{owner_key_of(arn)}/{_ALL_SESSIONS}" if is_role else arn


@lru_cache(maxsize=65_536)
def names_of(arn: str) -> frozenset[str]:
    """Returns all names by which people may refer to a caller: ARN, session, NAME, and KIND/NAME."""
    principal = principal_of(arn)
    own = {principal.name, str(principal)} if principal else set()
    return frozenset({arn, session_of(arn), *own} - {""})


def session_of(arn: str) -> str:
    """Returns a role's session name."""
    return arn.rpartition("/")[2]


@lru_cache(maxsize=65_536)
def arn_for_patterns(arn: str) -> str:
    """Returns the form of the ARN that patterns are matched against.

    The session name in it is `*`. Colons are escaped, so that a user's path cannot imitate another kind of ARN.
    """
    *beginning, resource = owner_key_of(arn).split(":", 5)
    principal = principal_of(arn)
    session = "/*" if principal and principal.kind is PrincipalKind.ROLE else ""
    return ":".join([*beginning, resource.replace(":", "%3A") + session])


def names_session(pattern: str) -> bool:
    """Returns whether an ARN pattern names a session. It then matches no caller, since sessions are matched as `*`."""
    return _NAMED_SESSION.search(pattern) is not None


def matches_no_caller(pattern: str) -> bool:
    """Returns whether an ARN pattern matches no caller, such as a role's own ARN: callers are the role's sessions."""
    return not pattern.startswith(("*", "arn:")) or ":role/" in pattern
