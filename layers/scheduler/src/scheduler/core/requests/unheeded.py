"""Finds settings in a valid request that the queue does not follow. The job still runs, and its user is warned."""

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.work.evaluators import evaluators_in
from scheduler.core.requests.options import is_option
from scheduler.core.warm_pools.pool_rules import PoolRules
from scheduler.errors.refusals import QUEUE, Violation


def unheeded(job: Job, request: Mapping[str, Any], rules: PoolRules) -> Iterator[Violation]:
    """Yields warnings: for long keep-alive periods, for evaluators, and for option tags that are not in lower case."""
    kept = rules.keep_alive(job)
    wanted = request.get("ResourceConfig", {}).get("KeepAlivePeriodInSeconds", 0)
    if wanted > kept:
        yield Violation(
            QUEUE,
            "ResourceConfig.KeepAlivePeriodInSeconds",
            f"the request asks for a keep-alive period of {wanted} s, but the pool rules allow {kept} s",
            "Leave it out, or ask an operator for a rule in the section pools.",
        )
    for path, evaluator in evaluators_in(request):
        if instance_type := evaluator.get("InstanceType"):
            problem = f"the budget does not count the evaluator's {instance_type}"
            remedy = "To stay within the budget, leave the evaluator out, or use a built-in rule without InstanceType."
            yield Violation(QUEUE, f"{path}.InstanceType", problem, remedy)
    for index, tag in enumerate(request.get("Tags", ())):
        key = tag["Key"]
        if is_option(key.lower()) and not is_option(key):
            problem = f"the tag {key} sets no option: keys must be lower case"
            yield Violation(QUEUE, f"Tags[{index}].Key", problem, f"Use {key.lower()}.")
