"""Checks the stack's settings during a deployment, and applies the configuration file that the deployment names.

The deployment fails if the functions could not work with the settings, or if the file is refused. CloudFormation calls
this function twice. The resource `Settings` calls it before the table exists, so that a refused first deployment leaves
nothing behind. The resource `DeployedConfiguration` passes the table's name, and calls it before the other functions
are updated. CloudFormation waits for an answer, so the function answers every event.
"""

import os
from functools import partial
from math import inf
from typing import Any

from configuration.response import send
from scheduler.adapters.aws.configuration_file import FileAddress, fetch_file
from scheduler.config.deployment import DeployedFile, check_first
from scheduler.errors.config_errors import BadConfig, DeploymentRefused
from scheduler.errors.internal import BadSetting
from scheduler.errors.refusals import BadRequest
from scheduler.settings import Settings
from scheduler.wiring import config, shared

#: The most problems in a file that a deployment reports. An answer holds 4 KB; `sagequeue config plan` lists all
#: problems.
_MOST_PROBLEMS = 10
_KEPT_KEY = (
    "CustomerKey cannot return to no, because the functions could no longer read requests stored with the stack's key."
    " Deploy again with CustomerKey=yes."
)


def handle(event: dict[str, Any], context: Any) -> None:
    problem = None if event["RequestType"] == "Delete" else _problem(event)
    send(event, problem, context.log_stream_name)


def _problem(event: dict[str, Any]) -> str | None:
    """Returns why the deployment fails, or None if it succeeds."""
    try:
        shared.logger().info("deployment", extra={"request_type": event["RequestType"]})
        settings, wanted = Settings.from_env(os.environ), event["ResourceProperties"]
        if _gives_up_key(event):
            return _KEPT_KEY
        if not wanted.get("Configuration"):
            return None  # the current configuration stays, even if earlier deployments named a file
        if "Table" in wanted:
            os.environ["TABLE_NAME"] = wanted["Table"]
            _apply(event)
        elif event["RequestType"] == "Create":  # a later rollback may name a deleted file
            check_first(_file(event), shared.stack_of(settings), shared.clock())
    except (BadSetting, DeploymentRefused) as error:
        return str(error)
    except BadConfig as error:
        return _mistakes(error)
    except BadRequest as error:
        return f"{error.message}. {error.remedy}"
    except Exception as error:  # noqa: BLE001 - without an answer, CloudFormation waits until its timeout
        shared.logger().exception("deployment failed")
        return f"The configuration cannot be applied ({type(error).__name__}: {error}). Deploy again."
    return None


def _gives_up_key(event: dict[str, Any]) -> bool:
    """Returns whether the deployment turns CustomerKey off, unless that only undoes a failed update."""
    before, wanted = event.get("OldResourceProperties", {}), event["ResourceProperties"]
    if before.get("CustomerKey") != "yes" or wanted.get("CustomerKey") == "yes":
        return False
    return not config.is_rolled_back(event["StackId"])


def _apply(event: dict[str, Any]) -> None:
    version = config.deployments(_stack_name(event)).deploy(_file(event))
    shared.logger().info("configuration", extra={"version": version.version, "changed": version.changed})


def _file(event: dict[str, Any]) -> DeployedFile:
    wanted, before = event["ResourceProperties"], event.get("OldResourceProperties", {})
    address = FileAddress.parse(wanted["Configuration"])
    return DeployedFile(
        digest=address.digest,
        fetch=partial(fetch_file, shared.s3(), address, shared.clock().sleep),
        # Not parsed: if an update was refused because of its address, the rollback must still succeed.
        digest_before=before.get("Configuration", "").rpartition("@sha256:")[2],
        is_forced=wanted.get("Force") == "yes",
    )


def _mistakes(error: BadConfig) -> str:
    shared.logger().error("refused file", extra={"problems": [str(problem) for problem in error.problems]})
    in_order = sorted(error.problems, key=lambda problem: problem.line or inf)
    first = [str(problem) for problem in in_order[:_MOST_PROBLEMS]]
    if others := len(error.problems) - len(first):
        first.append(f"and {others} more")
    return f"The configuration file is refused: {'; '.join(first)}"


def _stack_name(event: dict[str, Any]) -> str:
    return str(event["StackId"]).split("/")[1]  # arn:aws:cloudformation:REGION:ACCOUNT:stack/NAME/ID
