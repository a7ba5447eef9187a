"""Builds jobs as in API answers, for tests of the client."""

from typing import Any, cast

from sagequeue.contract.jobs import Attempt, Job, TrainingRequest

ARN = "arn:aws:sagemaker:eu-west-1:123456789012:training-job/"


def a_request(name: str = "resnet", **changes: Any) -> TrainingRequest:
    return {
        "TrainingJobName": name,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::123456789012:role/Training",
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 30},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
        "Tags": [{"Key": "priority", "Value": "4"}],
        **changes,
    }


def a_job(state: str = "pending", code: str = "waits_for_budget", message: str = "", **changes: Any) -> Job:
    name = changes.pop("name", "resnet")
    job = {
        "name": name,
        "arn": ARN + name,
        "kind": "training",
        "state": state,
        "priority": 4,
        "owner": "arn:aws:sts::123456789012:assumed-role/team/anna",
        "instances": {"ml.g5.xlarge": 1},
        "preferences": [],
        "submitted_at": "2026-11-21T10:00:00Z",
        "updated_at": "2026-11-21T10:05:00Z",
        "position": None,
        "reason": {"code": code, "message": message or f"because of {code}"},
        "preemptions": 0,
        "max_runtime": 86400,
        "has_checkpoints": True,
        "team": None,
        "options": {
            "never_preempt": False,
            "checkpoint_interval": None,
            "idle_exempt": False,
            "interactive": False,
            "retries": None,
            "team": None,
            "source_etag": None,
            "notify": [],
            "order": "given",
            "instances": None,
            "restart_tuning": False,
            "min_parallel": None,
            "not_before": None,
            "expires": None,
            "deadline": None,
            "deadline_for": "end",
            "after_ok": [],
            "after_any": [],
            "after_not_ok": [],
            "if_never_satisfied": "park",
        },
        "on_demand": False,
        "choice": 0,
        "choices": [],
        "not_before": None,
        "warnings": [],
        "may_control": True,
        "tuning": None,
        "attempts": [],
        "earlier_attempts": 0,
        "request": a_request(name),
        **changes,
    }
    return cast(Job, job)


def an_attempt(number: int = 1, outcome: str | None = None, **changes: Any) -> Attempt:
    attempt = {
        "number": number,
        "name": f"resnet-sq-{number}",
        "outcome": outcome,
        "status": "InProgress",
        "secondary_status": "Training",
        "message": "Training image download completed. Training in progress.",
        "reserved_at": f"2026-11-21T10:0{number}:00Z",
        "training_started_at": f"2026-11-21T10:0{number}:20Z",
        "ended_at": f"2026-11-21T10:0{number}:40Z" if outcome else None,
        "failure_reason": "",
        "beneficiary": "",
        "interruptions": 0,
        "failure_class": None,
        "action": "",
        "on_pool": None,
        "billable_seconds": None,
        "retained_seconds": 0,
        "choice": 0,
        "selected": None,
        "takes_notice": False,
        "listens": False,
        "notice": None,
        "saved": None,
        **changes,
    }
    return cast(Attempt, attempt)


def preempted(number: int = 1) -> Attempt:
    return an_attempt(number, "preempted", status="Stopped", secondary_status="Stopped", beneficiary="urgent")


def launching(number: int) -> Attempt:
    return an_attempt(number, status="", secondary_status="", message="", training_started_at=None)


def a_whole_life() -> list[Job]:
    """Each stage of a job that waits, runs, is preempted for `urgent`, runs again and completes."""
    done = an_attempt(2, "completed", status="Completed", secondary_status="Completed")
    return [
        a_job("pending", position=2),
        a_job("pending", position=1),
        a_job("launching", "fits", attempts=[launching(1)]),
        a_job("running", "running", attempts=[an_attempt(1)]),
        a_job("stopping", "outranked", "stops for urgent, priority 9", attempts=[an_attempt(1)]),
        a_job("preempted", "waits_for_budget", position=1, attempts=[preempted()], preemptions=1),
        a_job("launching", "fits", attempts=[preempted(), launching(2)], preemptions=1),
        a_job("running", "running", attempts=[preempted(), an_attempt(2)], preemptions=1),
        a_job("completed", "completed", attempts=[preempted(), done], preemptions=1),
    ]
