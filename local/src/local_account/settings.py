"""Defines the settings of a local account, their record between commands, and the environment of its clients."""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

import boto3

ACCOUNT = "000000000000"
REGION = "us-east-1"


@dataclass(frozen=True)
class Settings:
    """The servers read the first five settings when they start. The other settings are parameters of the stack."""

    port: int = 4566
    sagemaker_port: int = 4567
    startup_seconds: float = 3.0
    rate_factor: float = 1.0
    grace_seconds: float = 120.0  # from SIGTERM to SIGKILL of a training job
    budget: str = "ml.m5.large=2"
    sweep_rate: str = "rate(1 minute)"
    parameters: Mapping[str, str] = field(default_factory=dict)  # all other parameters of the stack

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def sagemaker_endpoint(self) -> str:
        return f"http://127.0.0.1:{self.sagemaker_port}"

    def same_servers(self, other: "Settings") -> bool:
        """Returns whether servers with these settings can adopt the other settings without a restart."""
        return self._for_servers() == other._for_servers()

    def _for_servers(self) -> tuple[float, ...]:
        return (self.port, self.sagemaker_port, self.startup_seconds, self.rate_factor, self.grace_seconds)


@dataclass(frozen=True)
class Record:
    """Stores settings, the servers' process ids and the account's key between commands.

    Only its user can read this record.
    """

    settings: Settings = field(default_factory=Settings)
    pids: dict[str, int] = field(default_factory=dict)
    key: str = ""  # empty until the first start

    @classmethod
    def load(cls, path: Path) -> "Record":
        if not path.exists():
            return cls()
        stored = json.loads(path.read_text())
        known = {setting.name for setting in fields(Settings)}  # a file of another commit may have other settings
        settings = {name: value for name, value in stored["settings"].items() if name in known}
        return cls(Settings(**settings), stored["pids"], stored.get("key", ""))

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".new")
        unfinished.touch(mode=0o600)
        unfinished.write_text(json.dumps(asdict(self), indent=2))
        unfinished.replace(path)


def new_key() -> str:
    """Returns a random key. SDKs send it unchanged, as an access key id. AWS's own access key ids begin differently."""
    return f"LOCAL{secrets.token_hex(16).upper()}"


def account_environment(settings: Settings, key: str) -> dict[str, str]:
    """Returns the environment variables that make any AWS SDK use the local account, as its root user."""
    return {
        "AWS_ENDPOINT_URL": settings.endpoint,
        "AWS_ENDPOINT_URL_SAGEMAKER": settings.sagemaker_endpoint,
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": key,
        "AWS_DEFAULT_REGION": REGION,
    }


def without_real_account() -> dict[str, str]:
    """Returns the caller's environment without variables that could lead a child process to a real AWS account."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SAGEQUEUE_"))}
    return {**kept, "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}


def account_session(key: str) -> boto3.Session:
    """Returns a session for clients with the account's endpoint_url. The clients act as the account's root user."""
    return boto3.Session(aws_access_key_id=key, aws_secret_access_key=key, region_name=REGION)
