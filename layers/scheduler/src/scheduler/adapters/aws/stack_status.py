"""Asks CloudFormation about the deployment in progress."""

from typing import Any


def is_rolled_back(client: Any, stack_id: str) -> bool:
    """Returns whether the stack is rolling back a failed update. The events alone do not show this."""
    (stack,) = client.describe_stacks(StackName=stack_id)["Stacks"]
    return "ROLLBACK" in stack["StackStatus"]
