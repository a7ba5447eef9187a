"""Builds and deploys the checkout's template with the real `sam`, and reads the state of the stack."""

import subprocess
import sys
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from botocore.exceptions import ClientError

from local_account.environment import account_environment, account_session, without_real_account
from local_account.errors import AccountError
from local_account.logs import tail
from local_account.paths import Paths
from local_account.settings import Settings
from local_account.stack.parameters import stack_parameters

NAME = "sagequeue"


@dataclass(frozen=True)
class Stack:
    state: str
    outputs: dict[str, str]

    def api_url(self, endpoint: str) -> str | None:
        """Returns the URL where ministack serves the API, or None before the first deployment is complete."""
        if "ApiUrl" not in self.outputs:
            return None
        deployed = urlsplit(self.outputs["ApiUrl"])
        api_id, stage = deployed.netloc.split(".")[0], deployed.path.strip("/")
        return f"{endpoint}/restapis/{api_id}/{stage}/_user_request_"


def build(settings: Settings, paths: Paths) -> None:
    folders = ["--build-dir", str(paths.build), "--cache-dir", str(paths.build_cache)]
    _sam(["build", "--template", str(paths.template), *folders], settings, paths)


def deploy(settings: Settings, paths: Paths) -> None:
    """Deploys the build. A stack that is up to date stays as it is."""
    overrides = [f"{name}={_quoted(value)}" for name, value in stack_parameters(settings, paths).items()]
    template = str(paths.build / "template.yaml")
    _sam(["deploy", "--template-file", template, "--parameter-overrides", *overrides], settings, paths)


def find_stack(settings: Settings) -> Stack | None:
    cloudformation = account_session().client("cloudformation", endpoint_url=settings.endpoint)
    try:
        found = cloudformation.describe_stacks(StackName=NAME)["Stacks"][0]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":  # CloudFormation's code for a missing stack
            return None
        raise
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
    return Stack(found["StackStatus"], outputs)


def _quoted(value: str) -> str:
    """Quotes the value for sam's own parser."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _sam(arguments: list[str], settings: Settings, paths: Paths) -> None:
    command = [str(paths.sam), *arguments, "--config-file", str(paths.sam_settings), "--config-env", "local"]
    # The Makefiles of layer and functions build with this Python, because the one on the PATH may be too old.
    python = {"PYTHON": sys.executable, "SAM_CLI_TELEMETRY": "0"}
    environment = without_real_account() | account_environment(settings) | python
    log = paths.log("sam")
    # sam leaves temporary folders behind.
    with log.open("ab") as output, TemporaryDirectory(dir=paths.scratch) as scratch:
        done = subprocess.run(  # noqa: S603 - sam itself, no shell
            command,
            cwd=paths.checkout,
            env=environment | {"TMPDIR": scratch},
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        raise AccountError(f"sam {arguments[0]} failed; the end of {log}:\n{tail(log)}")
