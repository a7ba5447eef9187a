"""Who calls, as IAM knows them: a role whatever its session is called, a user, or the root user of an account.

API Gateway tells a role without its path (aws-facts 4.44), and the name of the session is chosen by whoever assumes the
role. So a role is its account and name: no two roles of an account have the same name, whatever their paths.
"""

import re
from enum import StrEnum
from functools import lru_cache

from attrs import field, frozen

_ROLE = re.compile(r"arn:aws[a-z-]*:sts::(\d{12}):assumed-role/([\w+=,.@-]{1,64})/[\w+=,.@-]{1,64}", re.ASCII)
_USER = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):user/((?:[!-~]{1,510}/)?)([\w+=,.@-]{1,64})", re.ASCII)
_ROOT = re.compile(r"arn:aws[a-z-]*:iam::(\d{12}):root", re.ASCII)
_NAMED_SESSION = re.compile(r"assumed-role/[^/]+/(?!\*$)")


class PrincipalKind(StrEnum):
    ROLE = "role"
    USER = "user"
    ROOT = "root"


@frozen
class Principal:
    account: str
    kind: PrincipalKind
    name: str = ""  # the root user has none
    path: str = field(default="", eq=False)  # of a user, who stays the same when it is moved

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}" if self.name else self.kind


def principal_of(arn: str) -> Principal | None:
    """The principal behind the ARN of a caller.

    None for whoever has no name that the account's own administrators gave it, such as a federated user.
    """
    if role := _ROLE.fullmatch(arn):
        return Principal(role[1], PrincipalKind.ROLE, role[2])
    if user := _USER.fullmatch(arn):
        return Principal(user[1], PrincipalKind.USER, user[3], user[2])
    if root := _ROOT.fullmatch(arn):
        return Principal(root[1], PrincipalKind.ROOT)
    return None


@lru_cache(maxsize=65_536)
def owner_key_of(arn: str) -> str:
    """The ARN without the name of a role's session: whose jobs are counted together, and whose tokens are told apart.

    A CI job often has another session in its next try, and whoever wants to pass a cap could choose another.
    """
    principal = principal_of(arn)
    return arn.rpartition("/")[0] if principal and principal.kind is PrincipalKind.ROLE else arn


@lru_cache(maxsize=65_536)
def arn_for_patterns(arn: str) -> str:
    """The ARN as patterns see it: every session is called `*`, and no path of a user passes for another kind."""
    *beginning, resource = owner_key_of(arn).split(":", 5)
    session = "/*" if owner_key_of(arn) != arn else ""
    return ":".join([*beginning, resource.replace(":", "%3A") + session])


def names_session(pattern: str) -> bool:
    """Whether a pattern of ARNs asks for more of a session than that there is one, and so fits nobody."""
    return _NAMED_SESSION.search(pattern) is not None
