"""Converts AWS Batch's quota shares and fair-share policies to the section `shares`, with remarks on the differences.
The input is the output of `aws batch list-quota-shares`, `describe-quota-share` and `describe-scheduling-policies`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_LONGEST_NAME = 64
_MOST_WEIGHT = 1000.0
_SHORTEST_HALF_LIFE = 60
_BORROWS, _RESERVES = "LEND_AND_BORROW", "RESERVE"
_UNLIMITED = -1
_MEMBERS = "members: in Batch, each submission names its share. Here, list patterns of each team's callers"


class NotBatch(ValueError):
    """Reports content that is not the output of Batch's commands."""


@dataclass(slots=True)
class Converted:
    """Collects sections of the configuration, and remarks for the operator."""

    shares: dict[str, dict[str, Any]] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)

    @property
    def sections(self) -> dict[str, Any]:
        return {"shares": self.shares} | ({"policy": self.policy} if self.policy else {})

    def remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)

    def team(self, name: str) -> dict[str, Any]:
        """Returns the team with this name in Batch, and adds it if it is new."""
        known = name.rstrip("*")[:_LONGEST_NAME]
        if known != name:
            self.remark(f"{known}: is named {name} in Batch")
        return self.shares.setdefault(known, {"members": []})


def convert(contents: Iterable[Any]) -> Converted:
    """Converts the parsed output of several commands. Raises NotBatch."""
    found = Converted()
    for content in contents:
        try:
            _add(content, found)
        except (KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
            raise NotBatch(f"is incomplete or changed ({error!r})") from error
    if not found.shares:
        raise NotBatch("has no quota share and no share identifier")
    found.remarks.insert(0, _MEMBERS)
    _add_totals(found)
    return found


def _add(content: Any, found: Converted) -> None:
    shares, policies = _parts_of(content)
    for share in shares:
        _add_quota_share(share, found)
    for policy in policies:
        _add_policy(policy, found)


def _parts_of(content: Any) -> tuple[list[Any], list[Any]]:
    if isinstance(content, dict):
        if "quotaShareName" in content:
            return [content], []
        if "quotaShares" in content or "schedulingPolicies" in content:
            return content.get("quotaShares", []), content.get("schedulingPolicies", [])
    raise NotBatch("has neither quotaShares nor schedulingPolicies")


def _add_quota_share(share: Mapping[str, Any], found: Converted) -> None:
    name = share["quotaShareName"]
    if share.get("state") == "DISABLED":
        found.remark(f"{name}: is disabled in Batch, so it was left out")
        return
    limits, sharing = share.get("capacityLimits", []), share.get("resourceSharingConfiguration", {})
    quota = {limit["capacityUnit"]: limit["maxCapacity"] for limit in limits}
    team, strategy = found.team(name), sharing.get("strategy")
    if "quota" in team:
        found.remark(f"{name}: exists in several Batch job queues. The last one was used")
    team["quota"] = quota
    if strategy == _RESERVES:
        team["lend"] = dict.fromkeys(quota, 0)
    percent = sharing.get("borrowLimit", _UNLIMITED) if strategy == _BORROWS else 0
    if percent != _UNLIMITED:
        team["borrow_at_most"] = {kind: count * percent // 100 for kind, count in quota.items()}
    if share.get("preemptionConfiguration", {}).get("inSharePreemption") == "DISABLED":
        found.remark(
            f"{name}: preemption inside a team cannot be turned off. Jobs of equal priority do not preempt each other"
        )
    found.remark("types: a team may borrow instance types that its share does not name. Set ceiling 0 to prevent it")
    found.remark("borrowing: Batch assigns idle instances first in, first out. Here, weights and recent use decide")


def _add_policy(policy: Mapping[str, Any], found: Converted) -> None:
    fair = policy.get("fairsharePolicy")
    if not fair:
        return
    factors = {entry["shareIdentifier"]: entry.get("weightFactor", 1.0) for entry in fair.get("shareDistribution", [])}
    # In Batch, a lower factor gets a larger share. Only the ratios between weights matter.
    scale = min(1.0, _MOST_WEIGHT * min(factors.values(), default=1.0))
    for identifier, factor in factors.items():
        found.team(identifier)["weight"] = round(scale / factor, 4)
    if scale < 1:
        found.remark(f"weight: all weights are multiplied by {scale:g}, so that none is above {_MOST_WEIGHT:g}")
    if decay := fair.get("shareDecaySeconds", 0):
        found.policy["usage_half_life"] = f"{max(_SHORTEST_HALF_LIFE, decay)}s"
        found.remark("usage_half_life: Batch looks at a window of this length. Here, use that is this old counts half")
    if fair.get("computeReservation"):
        found.remark("computeReservation: has no match. Give teams a quota, and set lend to reserve it")
    found.remark(
        "weight: jobs of callers without a team form one team of weight 1. In Batch, each identifier has weight 1"
    )


def _add_totals(found: Converted) -> None:
    totals = Counter[str]()
    for team in found.shares.values():
        totals.update(team.get("quota", {}))
    if totals:
        budget = ",".join(f"{kind}={count}" for kind, count in sorted(totals.items()))
        found.remark(f"budget: the stack's InstanceBudget must have at least {budget}")
    for unit in sorted(unit for unit in totals if not unit.startswith("ml.")):
        found.remark(f"{unit}: is not an instance type. Replace it by a type such as ml.g5.xlarge")
