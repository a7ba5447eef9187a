"""Judges warm pools: the instances of an attempt are kept for as long as the operators' rules specify."""

from collections import Counter
from typing import Any

from local_sagemaker.state_machine.job import TrainingJob
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge


class WarmPoolJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations

    def check_start(
        self, attempt: TrainingJob, reserved_at: float, body: dict[str, Any], *, has_left_spot: bool
    ) -> None:
        sent = attempt.keep_alive_seconds
        asked = body["ResourceConfig"].get("KeepAlivePeriodInSeconds", 0)
        # When an attempt is reserved, the rules may be old. Its Create may come long after that.
        seen = self._configurations.seen("pools", reserved_at - OLD_VIEW_SECONDS)
        # A job that was submitted for spot instances leaves no pool, even if it runs on demand.
        allowed = {0 if has_left_spot else _longest(rules, asked, attempt.request) for rules in seen}
        self._check("S16", sent in allowed, f"{attempt.name} keeps its instances for {sent} s, not {allowed}")

    def ends(self) -> Counter[str]:
        """Counts the warm pools of this world by final status."""
        pools = (job.warm_pool for job in self._account.simulation.machine.jobs.values())
        return Counter(f"warm pool {pool.status.value.lower()}" for pool in pools if pool)


def _longest(rules: list[dict[str, Any]], asked: int, sent: dict[str, Any]) -> int:
    """Returns the allowed seconds for the sent request, because an alternative may have another type."""
    leaves_none = sent.get("EnableManagedSpotTraining") or "TrainingPlanArn" in sent["ResourceConfig"]
    for rule in rules if not leaves_none else ():
        if rule["instance_type"] == sent["ResourceConfig"].get("InstanceType"):
            longest = parse_duration(rule.get("keep", "0s"))
            return int({"off": 0, "reuse": min(asked, longest), "hold": longest}[rule["use"]])
    return 0
