"""Errors are readable for people, SDKs and other processes."""

import pickle
from typing import cast

import pytest
from botocore.exceptions import ClientError

from sagequeue import errors
from sagequeue.api import config_errors
from sagequeue.contract.jobs import Violation

CODES = {
    errors.NotConfigured: ("JobQueueNotConfigured", 400),
    errors.CredentialsMissing: ("JobQueueCredentialsMissing", 403),
    errors.QueueUnreachable: ("JobQueueUnreachable", 503),
    errors.NotAQueue: ("NotAJobQueue", 404),
    errors.OtherVersion: ("JobQueueOtherVersion", 404),
    errors.InvalidSubmission: ("ValidationException", 400),
    errors.TooManyTags: ("ValidationException", 400),
    errors.TooLarge: ("ValidationException", 413),
    errors.AnswerTooLarge: ("ValidationException", 413),
    errors.OverBudget: ("JobQueueRejected", 400),
    errors.NameTaken: ("ResourceInUse", 409),
    errors.NameUsed: ("ResourceInUse", 409),
    errors.AccessDenied: ("AccessDeniedException", 403),
    errors.NotPermitted: ("AccessDeniedException", 403),
    errors.UnknownJob: ("ValidationException", 404),
    errors.UnknownArray: ("ValidationException", 404),
    errors.AlreadyFinished: ("ValidationException", 409),
    errors.NotRunning: ("ValidationException", 400),
    errors.WrongRegion: ("ValidationException", 400),
    errors.WrongState: ("ValidationException", 409),
    errors.NotHeld: ("ValidationException", 409),
    errors.NotQueued: ("ValidationException", 409),
    errors.TokenReused: ("IdempotentParameterMismatch", 409),
    errors.Busy: ("ThrottlingException", 409),
    errors.OwnerCap: ("JobQueueRejected", 409),
    errors.IntakeClosed: ("JobQueueRejected", 409),
    errors.Unavailable: ("JobQueueUnavailable", 503),
    errors.RuleViolated: ("JobQueueRejected", 422),
    config_errors.BadConfig: ("ValidationException", 400),
    config_errors.StaleConfig: ("ResourceInUse", 409),
    config_errors.UnknownVersion: ("ValidationException", 404),
    config_errors.LocksOut: ("ValidationException", 409),
}


@pytest.mark.parametrize(("kind", "expected"), CODES.items())
def test_a_failed_call_is_the_client_error_that_sdks_expect(
    kind: type[errors.FailedCall], expected: tuple[str, int]
) -> None:
    error = kind("No.", "Do that.")
    assert isinstance(error, ClientError)
    assert (error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]) == expected
    assert str(error) == error.response["Error"]["Message"] == "No. Do that."


VIOLATION = {"rule": "spot-only", "field": "EnableManagedSpotTraining", "message": "No spot.", "remedy": "Set it."}


@pytest.mark.parametrize(
    "error",
    [
        errors.NameTaken("a", "b", "c"),
        errors.QueueUnreachable("a", "b"),
        errors.RuleViolated("a", "b", "c", [cast(Violation, VIOLATION)]),
        config_errors.BadConfig("a", "b", "c", [{"line": 1, "field": "rules", "message": "is missing"}]),
    ],
)
def test_errors_survive_the_way_between_processes(error: errors.QueueError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert type(copy) is type(error)
    assert vars(copy) == vars(error)


def test_every_failed_call_has_its_line_above() -> None:
    assert kinds_of(errors.FailedCall) - {errors.QueueRefusal} == CODES.keys()


def kinds_of(kind: type[errors.FailedCall]) -> set[type[errors.FailedCall]]:
    return {*kind.__subclasses__()}.union(*map(kinds_of, kind.__subclasses__()))
