"""A team's OIDC provider: the package oidc-provider with its pages, in a separate process (`provider/`).

Cognito's part of a sign-in with it is ministack's, except for two things: CloudFormation in ministack knows no
providers, so `register` creates what the page's stack describes, and `provider.mjs` checks the signed ID token.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cfnlint.decode import decode

from support.stack.expanded_template import STACKS

PROGRAM = Path(__file__).parent / "provider" / "provider.mjs"
ISSUER = "https://login.example.com"
#: The provider's name in the page's stack, with which the user names of its people begin.
NAME = "Company"
_NODE = Path(sys.executable).with_name("node")


@dataclass(frozen=True)
class OidcProvider:
    """The ports at which the provider answers browsers and, in clear text, Cognito."""

    for_browsers: int
    for_cognito: int

    def register(self, pools: Any, outputs: Mapping[str, str], client: str) -> None:
        """Creates the stack's provider, and makes it the only one of the app client.

        Cognito would discover the two addresses, but ministack does not trust the certificate of the issuer's host.
        """
        described = decode(str(STACKS / "page.yaml"))[0]["Resources"]["Provider"]["Properties"]
        parameters = {
            "oidc_issuer": ISSUER,
            "client_id": "sagequeue",
            "client_secret": "of-the-team",
            "authorize_url": f"{ISSUER}/auth",
            "token_url": f"http://127.0.0.1:{self.for_cognito}/token",
        }
        pools.create_identity_provider(
            UserPoolId=outputs["UserPoolId"],
            ProviderName=described["ProviderName"],
            ProviderType=described["ProviderType"],
            ProviderDetails={**described["ProviderDetails"], **parameters},
            AttributeMapping=described["AttributeMapping"],
        )
        allow_only(pools, outputs["UserPoolId"], client, NAME)


def allow_only(pools: Any, pool: str, client: str, provider: str) -> None:
    """Makes this provider the only one of the app client; COGNITO stands for the pool's own users."""
    found = pools.describe_user_pool_client(UserPoolId=pool, ClientId=client)["UserPoolClient"]
    kept = {name: value for name, value in found.items() if value and not name.endswith("Date")}
    pools.update_user_pool_client(**{**kept, "SupportedIdentityProviders": [provider]})


@contextmanager
def running(certificate: Path, callback: str) -> Iterator[OidcProvider]:
    """Runs the provider, which sends people back to Cognito's address `callback`."""
    command = [str(_NODE), str(PROGRAM), str(certificate), ISSUER, callback]
    process = subprocess.Popen(  # noqa: S603  # our own program
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout
        ports = json.loads(process.stdout.readline())
        yield OidcProvider(ports["browsers"], ports["cognito"])
    finally:
        process.communicate()  # closes the input, at whose end the program ends
