"""Each statement of a policy names actions that exist, resources that they check, and conditions that they have."""

from dataclasses import replace

import pytest

from policies.iam_definition import Action, actions_of
from policies.statements import Statement, of_documents, of_templates

TEMPLATES = list(of_templates())
DOCUMENTS = list(of_documents())
#: Keys that every request has, or that come with the principal and the network.
GLOBAL = {
    "aws:PrincipalAccount",
    "aws:PrincipalArn",
    "aws:SecureTransport",
    "aws:SourceAccount",
    "aws:SourceArn",
    "aws:SourceVpce",
}
#: Where AWS's guides and its list of actions differ, and the templates follow the guides.
ACCEPTED = {
    # SAM's own template of a policy for streams names the stream, too.
    "dynamodb:ListStreams checks none of the resources",
    # AWS's guide for SAM names the transform; the name of the other one is formed alike.
    "cloudformation:CreateChangeSet checks none of the resources",
    "no action checks arn:aws:cloudformation:eu-west-1:aws:transform/Include",
    "no action checks arn:aws:cloudformation:eu-west-1:aws:transform/Serverless-2016-10-31",
    # AWS's guide for API Gateway names tags like this.
    "no action checks arn:aws:apigateway:eu-west-1::/tags/*",
    # Alarms with a prefix are described by a permission for all alarms.
    "cloudwatch:DescribeAlarms checks none of the resources",
    # CloudWatch Logs documents this policy for a key, with one condition for all actions.
    "kms:DescribeKey has no condition kms:EncryptionContext:aws:logs:arn",
}
OF_FEDERATION = "token.actions.githubusercontent.com:"

every_statement = pytest.mark.parametrize("statement", [*TEMPLATES, *DOCUMENTS], ids=str)


def problems(statement: Statement) -> list[str]:
    actions = {text: actions_of(text) for text in statement.actions}
    known = [action for found in actions.values() for action in found]
    return [
        *(f"no action {text}" for text, found in actions.items() if not found),
        *_unfit(statement, known),
        *_unknown_keys(statement, actions),
    ]


def _unfit(statement: Statement, known: list[Action]) -> list[str]:
    if not statement.resources:
        return []
    is_pattern = any("*" in text for text in statement.actions)
    wide = "*" in statement.resources and (statement.effect == "Deny" or not statement.is_of_a_role)
    idle = [] if wide or is_pattern else [one for one in known if not any(map(one.fits, statement.resources))]
    unused = [one for one in statement.resources if not wide and not any(action.fits(one) for action in known)]
    return [
        *(f"{action.name} checks none of the resources" for action in idle),
        *(f"no action checks {resource}" for resource in unused),
    ]


def _unknown_keys(statement: Statement, actions: dict[str, list[Action]]) -> list[str]:
    return [
        f"{text} has no condition {key}"
        for text, found in actions.items()
        for key in sorted(statement.keys - GLOBAL)
        if not key.startswith(OF_FEDERATION)
        if not any(_has(action, key, statement.resources) for action in found)
    ]


def _has(action: Action, key: str, resources: tuple[str, ...]) -> bool:
    known = (name.partition("${") for name in action.keys_for(resources))  # as in aws:ResourceTag/${TagKey}
    return any(key.startswith(prefix) if is_open else key == prefix for prefix, is_open, _ in known)


@every_statement
def test_aws_knows_the_statement(statement: Statement) -> None:
    assert set(problems(statement)) <= ACCEPTED


def test_nothing_is_accepted_in_vain() -> None:
    assert {problem for statement in [*TEMPLATES, *DOCUMENTS] for problem in problems(statement)} == ACCEPTED


def test_all_policies_are_read() -> None:
    places = {statement.place.partition(" ")[2] for statement in TEMPLATES}
    assert places >= {
        "Api",
        "BodiesPolicy",
        "DeadLettersPolicy",
        "IdleAlarmsPolicy",
        "Key",
        "UseTheKey",
        "ScheduleFunctionRole",
    }
    assert {statement.place for statement in DOCUMENTS} >= {"ci.md", "hosted-page.md", "iam.md"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"actions": ("sagemaker:CreateTrainingJobs",)}, "no action sagemaker:CreateTrainingJobs"),
        ({"resources": ("*",)}, "sagemaker:StopTrainingJob checks none of the resources"),
        (
            {"resources": ("arn:aws:sagemaker:eu-west-1:123456789012:endpoint/x",)},
            "no action checks arn:aws:sagemaker:",
        ),
        (
            {"keys": frozenset({"sagemaker:TaggingAction"})},
            "sagemaker:StopTrainingJob has no condition sagemaker:TaggingAction",
        ),
    ],
    ids=str,
)
def test_a_mistake_is_found(change: dict[str, object], problem: str) -> None:
    job = "arn:aws:sagemaker:eu-west-1:123456789012:training-job/*-sq-*"
    right = Statement(
        "here", "Allow", ("sagemaker:StopTrainingJob",), (job,), frozenset({"aws:ResourceTag/x"}), is_of_a_role=True
    )
    assert problems(right) == []
    assert problem in "; ".join(problems(replace(right, **change)))  # type: ignore[arg-type]  # one of its fields
