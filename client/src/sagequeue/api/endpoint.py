"""Finds the address of the queue's API: in the environment, the config file or the stack's outputs, in this order."""

import os
import re
import tomllib
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import boto3
from botocore.exceptions import BotoCoreError, ClientError, NoRegionError

from sagequeue.errors import NotConfigured

if TYPE_CHECKING:
    from mypy_boto3_cloudformation.type_defs import StackTypeDef

_REMEDY = (
    'Set SAGEQUEUE_API_URL to the stack\'s ApiUrl output, or write api_url = "…" into {config}, '
    'or name the stack in SAGEQUEUE_STACK. For the local account: eval "$(sagequeue local env)".'
)
_API_HOST = re.compile(r"\.execute-api\.(?P<region>[a-z0-9-]+)\.amazonaws\.")


def find_api_url(session: boto3.Session) -> str:
    """Returns the API's URL without a trailing slash. Raises NotConfigured."""
    return checked_url(os.environ.get("SAGEQUEUE_API_URL") or _from_file() or _from_stack(session))


def checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise _not_configured(f"The queue's address {url!r} is not a URL.")
    if parts.scheme == "http" and not _is_loopback(parts.hostname):
        # Each call carries a session token. Without TLS, anyone on the network path could read and use it.
        raise _not_configured(
            f"The queue's address {url!r} must begin with https: only a queue on this machine may use http."
        )
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def region_of(api_url: str) -> str | None:
    """Returns the region in the API's host name, or None for a host without one, such as a local server."""
    match = _API_HOST.search(api_url)
    return match["region"] if match else None


def config_file() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home, "sagequeue", "config.toml")


def _from_file() -> str | None:
    try:
        settings = tomllib.loads(config_file().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _not_configured(f"Cannot read {config_file()}: {error}") from error
    url = settings.get("api_url")
    if not isinstance(url, str):
        raise _not_configured(f"{config_file()} does not set api_url.")
    return url


def stack_name() -> str:
    return os.environ.get("SAGEQUEUE_STACK") or "sagequeue"


def stack_outputs(session: boto3.Session) -> dict[str, str]:
    """Returns the outputs of the queue's stack. Raises BotoCoreError or ClientError."""
    return {output["OutputKey"]: output["OutputValue"] for output in _described(session).get("Outputs", [])}


def stack_parameters(session: boto3.Session) -> dict[str, str]:
    """Returns the parameters of the queue's stack. Raises BotoCoreError or ClientError."""
    parameters = _described(session).get("Parameters", [])
    return {parameter["ParameterKey"]: parameter.get("ParameterValue", "") for parameter in parameters}


def _described(session: boto3.Session) -> "StackTypeDef":
    return session.client("cloudformation").describe_stacks(StackName=stack_name())["Stacks"][0]


def _from_stack(session: boto3.Session) -> str:
    stack = stack_name()
    try:
        outputs = stack_outputs(session)
    except NoRegionError as error:
        message = "No queue address is set, and the queue's stack cannot be looked up without an AWS region."
        raise _not_configured(message) from error
    except (BotoCoreError, ClientError) as error:
        wanted = f"stack {stack!r} in {session.region_name}"
        raise _not_configured(f"No queue address is set, and {wanted} cannot be read: {_cause(error)}.") from error
    if "ApiUrl" not in outputs:
        raise _not_configured(f"Stack {stack!r} has no output ApiUrl, so it is not a queue.")
    return outputs["ApiUrl"]


def _cause(error: BotoCoreError | ClientError) -> str:
    """Returns only the error code, because AWS's message names the caller."""
    if isinstance(error, BotoCoreError):
        return str(error)
    code = error.response["Error"]["Code"]
    return "it does not exist" if code == "ValidationError" else code


def _not_configured(message: str) -> NotConfigured:
    return NotConfigured(message, _REMEDY.format(config=config_file()))
