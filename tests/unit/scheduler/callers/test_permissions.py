"""The permissions that the matching entry gives a caller."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scheduler.core.callers.document import validated
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.principal import principal_of
from support.builders.callers import ACCOUNT, a_callers_document, an_entry, callers_without_document
from support.builders.jobs import GPU, a_job

VISION = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision/ada"
VISION_2 = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision2/cyd"
NLP = f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/bob"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
FOREIGN = VISION.replace(ACCOUNT, "210987654321")
TRAIN = {"RoleArn": f"arn:aws:iam::{ACCOUNT}:role/train/SageMakerVision"}


def under(*entries: dict[str, Any]) -> Callers:
    return replace(callers_without_document("role/Platform"), entries=validated(a_callers_document(*entries)))


def verbs(callers: Callers, arn: str) -> set[str]:
    return set(callers.verbs_of(principal_of(arn)))


def controls(callers: Callers, arn: str, owner: str) -> bool:
    return callers.may_control(principal_of(arn), owner)


def test_without_a_document_callers_of_the_account_may_only_submit_and_control_their_own_jobs() -> None:
    callers = callers_without_document()
    assert verbs(callers, VISION) == {Verb.SUBMIT, Verb.CONTROL_OWN}
    assert verbs(callers, ROOT) == {Verb.SUBMIT, Verb.CONTROL_OWN, Verb.OPERATE}
    assert verbs(callers, FOREIGN) == verbs(callers, "unknown") == set()
    assert controls(callers, VISION, VISION.replace("/ada", "/in-another-session"))
    assert not controls(callers, VISION, NLP)
    assert controls(callers, ROOT, NLP)


def test_the_first_matching_entry_counts() -> None:
    callers = under(an_entry("role/Vision", verbs=()), an_entry("*", name="all"))
    assert verbs(callers, VISION) == set()
    assert verbs(callers, NLP) == {Verb.SUBMIT}


def test_callers_that_match_no_entry_are_denied() -> None:
    assert verbs(under(an_entry("role/Vision")), NLP) == set()


def test_operators_of_the_parameter_may_always_operate() -> None:
    platform = f"arn:aws:sts::{ACCOUNT}:assumed-role/Platform/x"
    assert verbs(under(an_entry("*", verbs=())), platform) == {Verb.OPERATE}
    assert verbs(under(an_entry("*", verbs=())), platform.replace("Platform", "platform")) == set()


@pytest.mark.parametrize(
    ("own", "caller", "owner", "may"),
    [
        (["control_own"], VISION, VISION, True),
        (["control_own"], VISION, VISION_2, False),
        (["control_own"], VISION, f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/ada", False),
        (["control_own"], VISION, FOREIGN, False),
        (["submit"], VISION, VISION, False),
        (["control_team"], VISION, VISION_2, True),
        (["control_team"], VISION, NLP, False),
        (["control_team"], VISION, "unknown", False),
        (["operate"], VISION, NLP, True),
        (["operate"], VISION, "unknown", True),
    ],
)
def test_jobs_are_controlled_by_their_owner_their_team_and_operators(
    own: list[str], caller: str, owner: str, may: bool
) -> None:
    callers = under(
        an_entry("role/Vision", verbs=tuple(own), teams=["vision"]),
        an_entry("role/Vision2", name="second", teams=["vision", "speech"]),
        an_entry("role/Nlp", name="nlp", teams=["nlp"]),
    )
    assert controls(callers, caller, owner) is may


def violations(callers: Callers, **changes: Any) -> list[tuple[str, str]]:
    found = callers.violations(a_job(**{"owner": VISION, **changes}), changes.pop("request", TRAIN))
    return [(one.field, one.message) for one in found]


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ({"execution_roles": [f"arn:aws:iam::{ACCOUNT}:role/train/SageMakerNlp"]}, "RoleArn"),
        ({"execution_roles": [f"arn:aws:iam::{ACCOUNT}:role/SageMakerVision"]}, "RoleArn"),  # another path
        ({"execution_roles": [f"arn:aws:iam::{ACCOUNT}:role/train/sagemaker*"]}, "RoleArn"),
        ({"execution_roles": ["arn:aws:iam::210987654321:role/train/*"]}, "RoleArn"),
        ({"instance_types": ["ml.m5.*"]}, "ResourceConfig"),
        ({"instance_types": ["ml.g5"]}, "ResourceConfig"),
        ({"priority_ceiling": 4}, "priority"),
    ],
)
def test_a_job_beyond_its_owners_limits_has_a_violation(limits: dict[str, Any], field: str) -> None:
    assert [found for found, _ in violations(under(an_entry("role/Vision", **limits)), priority=5)] == [field]


def test_a_job_within_the_limits_has_no_violation() -> None:
    entry = an_entry(
        "role/Vision",
        execution_roles=[f"arn:aws:iam::{ACCOUNT}:role/train/*"],
        instance_types=["ml.g5.*"],
        priority_ceiling=5,
    )
    assert violations(under(entry), priority=5) == []


def test_no_job_may_use_a_role_that_the_stack_may_not_pass() -> None:
    def roles(callers: Callers, role: str) -> list[str]:
        job = a_job(owner=VISION)
        return [violation.field for violation in callers.violations(job, {"RoleArn": role})]

    of_everybody: Callable[[str], list[str]] = lambda role: roles(callers_without_document(), role)  # noqa: E731
    assert of_everybody(f"arn:aws:iam::{ACCOUNT}:role/Administrator") == ["RoleArn"]
    assert of_everybody("arn:aws:iam::210987654321:role/SageMakerRole") == ["RoleArn"]
    assert of_everybody(f"arn:aws:iam::{ACCOUNT}:role/SageMakerRole") == []
    entry = an_entry("role/Vision", execution_roles=["*"])
    assert roles(under(entry), f"arn:aws:iam::{ACCOUNT}:role/Administrator") == ["RoleArn"]


def test_an_owner_that_may_no_longer_submit_may_not_run_jobs_either() -> None:
    ((field, message),) = violations(under(an_entry("role/Vision", verbs=["control_own"])))
    assert (field, message) == ("owner", "role/Vision lacks the permission submit")


def test_every_type_of_a_heterogeneous_job_counts() -> None:
    mixed = Demand.of({GPU: 1, "ml.p5.48xlarge": 1})
    found = violations(under(an_entry("role/Vision", instance_types=["ml.g5.*"])), demand=mixed)
    assert found == [("ResourceConfig", "ml.p5.48xlarge is not allowed")]


def test_a_violation_quotes_nothing_of_the_request() -> None:
    callers = under(an_entry("role/Vision", execution_roles=["arn:x"]))
    found = callers.violations(a_job(owner=VISION), {"RoleArn": "arn:secret", "Environment": {"KEY": "canary"}})
    assert "canary" not in str(found)
    assert "arn:secret" not in str(found)
