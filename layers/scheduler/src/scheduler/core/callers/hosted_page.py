"""Describes the hosted page that the stack trusts, and builds a person's ARN from the verified identity."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.core.jobs.principal import PERSON_ID

#: The caller in an unsigned call, or in a call that the page's pools signed without a signed-in person.
UNKNOWN = "unknown"
_SETTING = re.compile(r"(https://[a-z0-9.-]+),([a-z0-9-]+_[A-Za-z0-9]+),([a-z0-9-]+:[0-9a-f-]{36})", re.ASCII)
# In an identity pool's enhanced flow, Cognito itself sets this session name.
_SESSION = re.compile(
    r"(arn:aws[a-z-]*:sts::\d{12}:)assumed-role/([\w+=,.@-]{1,64})/CognitoIdentityCredentials", re.ASCII
)


@dataclass(frozen=True, slots=True)
class HostedPage:
    """The page's origin, the user pool that signs people in, and the identity pool that gives them credentials."""

    origin: str
    user_pool: str
    identity_pool: str

    @classmethod
    def parse(cls, text: str) -> "HostedPage":
        """Parses the stack's parameter. Raises ValueError."""
        found = _SETTING.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not ORIGIN,USER_POOL,IDENTITY_POOL, as the page's stack prints it")
        return cls(*found.groups())

    def caller_in(self, identity: Mapping[str, Any]) -> str:
        """Returns the caller's ARN, which names a person if the page's identity pool issued the credentials.

        Only the page's own pools are trusted. Sessions from other identity pools count as their roles.
        """
        arn: str = identity.get("userArn") or UNKNOWN
        if identity.get("cognitoIdentityPoolId") != self.identity_pool:
            return arn
        session, person = _SESSION.fullmatch(arn), self._person_in(identity)
        return f"{session[1]}person/{session[2]}/{person}" if session and person else UNKNOWN

    def _person_in(self, identity: Mapping[str, Any]) -> str | None:
        """Returns the user pool's ID for the signed-in person; None unless this pool signed the person in."""
        if identity.get("cognitoAuthenticationType") != "authenticated":
            return None
        region = self.user_pool.partition("_")[0]
        provider = re.escape(f"cognito-idp.{region}.amazonaws.com/{self.user_pool}")
        found = re.fullmatch(
            f"{provider},{provider}:CognitoSignIn:({PERSON_ID})", identity.get("cognitoAuthenticationProvider") or ""
        )
        return found[1] if found else None
