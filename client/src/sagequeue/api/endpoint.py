"""Where the queue's API is: the environment, else the config file, else the outputs of the stack."""

import os
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import boto3
from botocore.exceptions import BotoCoreError, ClientError, NoRegionError

from sagequeue.errors import NotConfigured

_REMEDY = (
    'Set SAGEQUEUE_API_URL to the stack\'s ApiUrl output, or write api_url = "…" into {config}, '
    'or name the stack in SAGEQUEUE_STACK. For the local account: eval "$(sagequeue local env)".'
)
_API_HOST = re.compile(r"\.execute-api\.(?P<region>[a-z0-9-]+)\.amazonaws\.")


def find_api_url(session: boto3.Session) -> str:
    """The API's URL without a slash at the end. Raises NotConfigured."""
    return checked(os.environ.get("SAGEQUEUE_API_URL") or _from_file() or _from_stack(session))


def checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise _not_configured(f"The queue's address {url!r} is not a URL.")
    return url.rstrip("/")


def region_of(api_url: str) -> str | None:
    """The region that the API's own host name tells; other hosts, such as a local one, tell none."""
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
        raise _not_configured(f"There is no api_url in {config_file()}.")
    return url


def _from_stack(session: boto3.Session) -> str:
    stack = os.environ.get("SAGEQUEUE_STACK") or "sagequeue"
    try:
        answer = session.client("cloudformation").describe_stacks(StackName=stack)
    except NoRegionError as error:
        message = "Nobody said where the queue is, and without an AWS region its stack cannot be looked for."
        raise _not_configured(message) from error
    except (BotoCoreError, ClientError) as error:
        looked_for = f"the stack {stack!r} in {session.region_name}"
        raise _not_configured(f"Cannot find the queue: looking for {looked_for} gave: {_cause(error)}") from error
    outputs = {output["OutputKey"]: output["OutputValue"] for output in answer["Stacks"][0].get("Outputs", [])}
    if "ApiUrl" not in outputs:
        raise _not_configured(f"The stack {stack!r} has no output ApiUrl: it is not a queue's.")
    return outputs["ApiUrl"]


def _cause(error: BotoCoreError | ClientError) -> str:
    """AWS's own words name who is not allowed: its code tells enough."""
    if isinstance(error, BotoCoreError):
        return str(error)
    code = error.response["Error"]["Code"]
    return "it does not exist" if code == "ValidationError" else code


def _not_configured(message: str) -> NotConfigured:
    return NotConfigured(message, _REMEDY.format(config=config_file()))
