"""Asks CloudFormation about the deployment that is under way."""

from typing import Any


def is_rolled_back(client: Any, stack_id: str) -> bool:
    """Returns whether the stack returns to its settings before a failed update. Their events look like any others."""
    (stack,) = client.describe_stacks(StackName=stack_id)["Stacks"]
    return "ROLLBACK" in stack["StackStatus"]
