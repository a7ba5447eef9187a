"""Lines of a budget: an instance type on demand, or what a training plan reserves of it.

A plan's instances are beside those on demand (aws-facts 2.58), so they are counted by a line of their own:
`ml.p5.48xlarge@winter` are those of the plan `winter`. Names of plans are unique in an account and region.
"""

import re

_ARN = re.compile(r"arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:\d{12}:training-plan/(?P<name>[A-Za-z0-9-]{1,64})")
_OF_PLAN = "@"


def is_plan(arn: str) -> bool:
    return _ARN.fullmatch(arn) is not None


def line_of(instance_type: str, plan: str | None) -> str:
    """The line from which a job takes instances of the type; `plan` is its TrainingPlanArn, if it names any."""
    return f"{instance_type}{_OF_PLAN}{plan.rpartition('/')[2]}" if plan else instance_type


def type_of(line: str) -> str:
    return line.partition(_OF_PLAN)[0]


def is_reserved(line: str) -> bool:
    return _OF_PLAN in line
