"""Compares the instances that each of a job's choices needs with the account's quotas for SageMaker."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.cli.prerequisites.members import INSTANCES, members_at
from sagequeue.cli.prerequisites.prerequisite import PATIENCE, Named, Prerequisite
from sagequeue.contract.jobs import Choice, JobOptions

_ACTION = "servicequotas:ListServiceQuotas"
_PREFERENCES = "InstancePreferences"


def check_quotas(
    session: boto3.Session,
    region: str | None,
    request: Mapping[str, Any],
    options: JobOptions,
    choices: Sequence[Choice],
) -> Iterator[Prerequisite]:
    """Yields an outcome for each choice and instance type. Quotas also count the instances of other jobs."""
    needs = [
        (Named(_member(number, request, options), f"{count} × {line}"), _quota(line, spot=choice["spot"]), count)
        for number, choice in enumerate(choices)
        for line, count in choice["instances"].items()
    ]
    preferences = [path for path, found in members_at(request, INSTANCES) if _PREFERENCES in found]
    if preferences:
        chosen = Named(f"{preferences[0]}.{_PREFERENCES}", ", ".join(choices[0]["instances"]))
        yield chosen.unchecked("SageMaker selects one of these types")
        return
    try:
        quotas = _quotas(session, region, {name for _, name, _ in needs if name})
    except (ClientError, BotoCoreError) as error:
        yield from (need.unanswered(error, _ACTION, "*") for need, _, _ in needs)
        return
    yield from (_compared(need, name, quotas, count) for need, name, count in needs)


def _compared(need: Named, name: str, quotas: Mapping[str, float], count: int) -> Prerequisite:
    if not name:
        return need.unchecked("a training plan reserves these instances")
    if name not in quotas:
        return need.unchecked(f"Service Quotas does not list {name!r}")
    if count > quotas[name]:
        remedy = "Use fewer instances or another type, or request a higher quota in Service Quotas."
        return need.problem(f"the quota {name!r} is {quotas[name]:g}", remedy)
    return need.fulfilled(f"within the quota {name!r} of {quotas[name]:g}")


def _quota(line: str, *, spot: bool) -> str:
    """Returns the name of the quota for a budget line, or nothing for the instances of a training plan."""
    instance_type, _, use = line.partition("@")
    if use == "processing":
        return f"{instance_type} for processing job usage"
    return "" if use else f"{instance_type} for {'spot ' if spot else ''}training job usage"


def _quotas(session: boto3.Session, region: str | None, names: set[str]) -> dict[str, float]:
    """Returns the quotas with these names. SageMaker has thousands, so the search ends at the last one."""
    found: dict[str, float] = {}
    pages = session.client("service-quotas", region_name=region, config=PATIENCE).get_paginator("list_service_quotas")
    for page in pages.paginate(ServiceCode="sagemaker") if names else ():
        found |= {one["QuotaName"]: one["Value"] for one in page["Quotas"] if one["QuotaName"] in names}
        if found.keys() == names:
            break
    return found


def _member(number: int, request: Mapping[str, Any], options: JobOptions) -> str:
    """Returns the member that sets the instances of a choice."""
    if number == 0:
        return next(path for path, _ in members_at(request, INSTANCES))
    if options.get("alternatives"):
        return f"options.alternatives[{number - 1}].request.ResourceConfig"
    return "options.min_parallel" if "HyperParameterTuningJobConfig" in request else "options.instances"
