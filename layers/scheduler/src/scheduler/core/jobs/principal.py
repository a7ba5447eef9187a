"""IAM principals behind callers' ARNs: a role whatever its session's name is, a user, or an account's root user."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

# API Gateway reports a role without its path (aws-facts 4.44), and the caller that assumes a role chooses the session's
# name. So a role is its account and name: no two roles of an account have the same name, whatever their paths.
_ROLE = re.compile(r"arn:aws[a-z-]*:sts::(\d{12}):assumed-role/([\w+=,.@-]{1,64})/[\w+=,.@-]{1,64}", re.ASCII)
_USER = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):user/((?:[!-~]{1,510}/)?)([\w+=,.@-]{1,64})", re.ASCII)
_ROOT = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):root", re.ASCII)
_NAMED_SESSION = re.compile(r"assumed-role/[^/]+/(?!\*$)")


class PrincipalKind(StrEnum):
    ROLE = "role"
    USER = "user"
    ROOT = "root"


@dataclass(frozen=True, slots=True)
class Principal:
    account: str
    kind: PrincipalKind
    name: str = ""  # the root user has none
    path: str = field(default="", compare=False)  # of a user, which stays the same principal when its path changes
    session: str = ""  # the name of a role's session, only if operators trust it: then each is a principal of its own

    def __str__(self) -> str:
        return "/".join(filter(None, (self.kind, self.name, self.session)))


def principal_of(arn: str) -> Principal | None:
    """Returns the principal behind a caller's ARN; None if no administrator named it, as with a federated user."""
    if role := _ROLE.fullmatch(arn):
        return Principal(role[1], PrincipalKind.ROLE, role[2])
    if user := _USER.fullmatch(arn):
        return Principal(user[1], PrincipalKind.USER, user[3], user[2])
    if root := _ROOT.fullmatch(arn):
        return Principal(root[1], PrincipalKind.ROOT)
    return None


@lru_cache(maxsize=65_536)
def owner_key_of(arn: str) -> str:
    """Returns the ARN without a role's session: its jobs are counted together, and its client tokens are its own."""
    # A CI job often has another session in its next run, and a caller could choose a new session to exceed a limit.
    principal = principal_of(arn)
    return arn.rpartition("/")[0] if principal and principal.kind is PrincipalKind.ROLE else arn


@lru_cache(maxsize=65_536)
def names_of(arn: str) -> frozenset[str]:
    """Returns all names by which people may call a caller: its ARN, `role/NAME`, the role, the user, the session."""
    principal = principal_of(arn)
    own = {principal.name, str(principal)} if principal else set()
    return frozenset({arn, session_of(arn), *own} - {""})


def session_of(arn: str) -> str:
    """Returns the name of a role's session."""
    return arn.rpartition("/")[2]


@lru_cache(maxsize=65_536)
def arn_for_patterns(arn: str) -> str:
    """Returns the ARN that patterns match: a session is `*`, and a user's path cannot imitate another kind of ARN."""
    *beginning, resource = owner_key_of(arn).split(":", 5)
    session = "/*" if owner_key_of(arn) != arn else ""
    return ":".join([*beginning, resource.replace(":", "%3A") + session])


def names_session(pattern: str) -> bool:
    """Returns whether an ARN pattern names a session, and so matches no caller: sessions are matched as `*`."""
    return _NAMED_SESSION.search(pattern) is not None
