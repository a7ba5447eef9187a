"""The permissions that the matching entry gives a caller."""

from collections.abc import Callable
from typing import Any

import pytest

from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.principal import names_of, principal_of
from scheduler.core.sections.schema import ConfigKind
from support.builders.callers import ACCOUNT, an_entry, callers_of
from support.builders.jobs import GPU, a_job

VISION = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision/ada"
VISION_2 = f"arn:aws:sts::{ACCOUNT}:assumed-role/Vision2/cyd"
NLP = f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/bob"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
FOREIGN = VISION.replace(ACCOUNT, "210987654321")
TRAIN = {"RoleArn": f"arn:aws:iam::{ACCOUNT}:role/train/SageMakerVision"}


def under(*entries: dict[str, Any]) -> Callers:
    return callers_of(*entries, operators=["role/Platform"])


def verbs(callers: Callers, arn: str) -> set[str]:
    return set(callers.verbs_of(principal_of(arn)))


def controls(callers: Callers, arn: str, owner: str) -> bool:
    return callers.may_control(principal_of(arn), owner)


def test_until_entries_are_applied_callers_of_the_account_may_only_submit_and_control_their_own_jobs() -> None:
    callers = callers_of()
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
    ("verb", "kinds"),
    [
        ("submit", set()),
        ("config:rules", {ConfigKind.RULES}),
        ("config:idle_gpus", {ConfigKind.IDLE_GPUS}),
        ("config:callers", {*ConfigKind}),
        ("config:*", {*ConfigKind}),
        ("operate", {*ConfigKind}),
    ],
)
def test_each_kind_of_the_configuration_has_a_permission_and_operators_have_all(
    verb: str, kinds: set[ConfigKind]
) -> None:
    callers = under(an_entry("role/Vision", verbs=[verb]), an_entry("role/Nlp", name="nlp"))
    assert {kind for kind in ConfigKind if callers.may_configure(principal_of(VISION), kind)} == kinds
    assert (Verb.OPERATE in verbs(callers, VISION)) is (len(kinds) > 1)
    assert not any(callers.may_configure(principal_of(arn), kind) for arn in (NLP, FOREIGN, "?") for kind in ConfigKind)


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
    request = changes.pop("request", TRAIN)
    found = callers.violations(a_job(**{"owner": VISION, **changes}), request)
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

    of_everybody: Callable[[str], list[str]] = lambda role: roles(callers_of(), role)  # noqa: E731
    assert of_everybody(f"arn:aws:iam::{ACCOUNT}:role/Administrator") == ["RoleArn"]
    assert of_everybody("arn:aws:iam::210987654321:role/SageMakerRole") == ["RoleArn"]
    assert of_everybody(f"arn:aws:iam::{ACCOUNT}:role/SageMakerRole") == []
    entry = an_entry("role/Vision", execution_roles=["*"])
    assert roles(under(entry), f"arn:aws:iam::{ACCOUNT}:role/Administrator") == ["RoleArn"]


@pytest.mark.parametrize("verbs", [(), ("operate",), ("control_own",)])
def test_a_caller_has_no_role_without_an_entry_that_names_roles(verbs: tuple[str, ...]) -> None:
    """Also an operator of the stack's parameter: once there are entries, they alone give roles."""
    others = an_entry("role/Nlp", name="nlp")
    for callers in (
        callers_of(others, operators=["role/Vision"]),
        callers_of(an_entry("role/Vision", verbs=verbs), others),
    ):
        assert violations(callers) == [("owner", "role/Vision lacks the permission submit")]
        assert callers.roles_of(callers.entry_of(principal_of(VISION))) == ()


def test_an_owner_that_may_no_longer_submit_may_not_run_jobs_either() -> None:
    ((field, message),) = violations(under(an_entry("role/Vision", verbs=["control_own"])))
    assert (field, message) == ("owner", "role/Vision lacks the permission submit")


def test_every_type_of_a_heterogeneous_job_counts() -> None:
    mixed = Demand.of({GPU: 1, "ml.p5.48xlarge": 1})
    found = violations(under(an_entry("role/Vision", instance_types=["ml.g5.*"])), demand=mixed)
    assert found == [("ResourceConfig", "ml.p5.48xlarge is not allowed")]


def test_the_types_of_evaluators_count_too() -> None:
    entry = an_entry("role/Vision", instance_types=["ml.g5.*"])
    evaluators = [{"RuleEvaluatorImage": "any"}, {"RuleEvaluatorImage": "any", "InstanceType": "ml.p4d.24xlarge"}]
    found = violations(under(entry), request={**TRAIN, "ProfilerRuleConfigurations": evaluators})
    assert found == [("ProfilerRuleConfigurations[1]", "ml.p4d.24xlarge is not allowed")]


def test_a_violation_quotes_nothing_of_the_request() -> None:
    callers = under(an_entry("role/Vision", execution_roles=["arn:x"]))
    found = callers.violations(a_job(owner=VISION), {"RoleArn": "arn:secret", "Environment": {"KEY": "canary"}})
    assert "canary" not in str(found)
    assert "arn:secret" not in str(found)


SSO = f"arn:aws:sts::{ACCOUNT}:assumed-role/AWSReservedSSO_Science_0123456789abcdef"
TRUSTING: dict[str, Any] = {"verbs": ("submit", "control_own"), "trust_session_names": True}


def identified(callers: Callers, arn: str, owner: str) -> bool:
    return callers.may_control(callers.principal_of(arn), owner)


def test_users_of_one_permission_set_are_one_caller_unless_their_names_are_trusted() -> None:
    callers = under(an_entry("*", name="all", verbs=("submit", "control_own")))
    assert identified(callers, f"{SSO}/ada", f"{SSO}/bob")
    assert callers.owner_key_of(f"{SSO}/ada") == SSO


def test_trusted_users_of_one_permission_set_control_their_own_jobs_only() -> None:
    trusting = an_entry("role/AWSReservedSSO_Science_0123456789abcdef", **TRUSTING)
    callers = under(trusting, an_entry("*", name="all", verbs=("submit", "control_own")))
    assert identified(callers, f"{SSO}/ada", f"{SSO}/ada")
    assert not identified(callers, f"{SSO}/bob", f"{SSO}/ada")
    assert not identified(callers, f"{SSO}/Ada", f"{SSO}/ada")
    assert callers.owner_key_of(f"{SSO}/ada") == f"{SSO}/ada"
    assert str(callers.principal_of(f"{SSO}/ada")) == "role/AWSReservedSSO_Science_0123456789abcdef/ada"
    assert callers.entry_of(callers.principal_of(f"{SSO}/ada")).name == "vision"
    assert not controls(callers, f"{SSO}/ada", f"{SSO}/ada"), "a principal without its session controls nothing"
    assert identified(callers, VISION, VISION.replace("/ada", "/in-another-session")), "other roles stay one caller"


def test_all_sessions_of_a_role_have_one_owner_in_reports_unless_their_names_are_trusted() -> None:
    callers = under(an_entry("role/AWSReservedSSO_Science_0123456789abcdef", **TRUSTING))
    sessions = (VISION, VISION.replace("/ada", "/botocore-session-1764361163"))
    (owner,) = {callers.owner_of(arn) for arn in sessions}
    assert callers.owner_key_of(owner) == callers.owner_key_of(VISION)
    assert "role/Vision" in names_of(owner)
    assert [callers.owner_of(f"{SSO}/{name}") for name in ("ada", "bob")] == [f"{SSO}/ada", f"{SSO}/bob"]
    user = f"arn:aws:iam::{ACCOUNT}:user/ada"
    assert callers.owner_of(user) == user


def test_trusted_users_may_still_share_a_teams_jobs() -> None:
    trusting: dict[str, Any] = {**TRUSTING, "verbs": ("submit", "control_own", "control_team"), "teams": ["science"]}
    callers = under(an_entry("role/AWSReservedSSO_Science_0123456789abcdef", **trusting))
    assert identified(callers, f"{SSO}/bob", f"{SSO}/ada")
