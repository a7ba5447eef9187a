"""Handles the calls of programs that create, describe and stop a job of a kind other than training.

As in `training_jobs.py`, the handlers of one call share botocore's context, and None means that the job is not in the
queue: its call goes to SageMaker unchanged.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.signers import RequestSigner

from sagequeue.api.answers import is_denied
from sagequeue.contract.jobs import Job
from sagequeue.hooks.handlers import (
    KEY,
    Answer,
    Context,
    Handlers,
    JobLookup,
    Params,
    answer_instead,
    answered,
    stop_in_queue,
)
from sagequeue.jobs.description import attempts_in_sagemaker
from sagequeue.jobs.processing import describe_processing, restore_processing_identity

# SageMaker's error codes for a job that it does not know: they differ between kinds of jobs.
_UNKNOWN = frozenset({"ResourceNotFound", "ValidationException"})


@dataclass(frozen=True)
class WorkJobs:
    """Handlers for one kind of work. `noun` is its name in SageMaker's operations and members: "ProcessingJob"."""

    kind: str
    noun: str
    describe: Callable[[Job], dict[str, Any]]
    restore_identity: Callable[[Job, dict[str, Any]], None]

    def handlers(self) -> Handlers:
        return {
            f"before-parameter-build.sagemaker.Create{self.noun}": _remember_request,
            f"before-call.sagemaker.Create{self.noun}": self._submit,
            f"before-parameter-build.sagemaker.Describe{self.noun}": self._find_described,
            f"before-call.sagemaker.Describe{self.noun}": self._describe,
            f"after-call.sagemaker.Describe{self.noun}": self._correct,
            f"before-parameter-build.sagemaker.Stop{self.noun}": self._find,
            f"before-call.sagemaker.Stop{self.noun}": stop_in_queue,
        }

    @property
    def name_member(self) -> str:
        return f"{self.noun}Name"

    def found(self, jobs: JobLookup, params: Params) -> Job | None:
        job = jobs.find(params.get(self.name_member))
        return job if job and job["kind"] == self.kind else None

    def _submit(self, jobs: JobLookup, context: Context, request_signer: RequestSigner, **_: object) -> Answer:
        jobs.refuse_other_region(request_signer.region_name)
        return answered({f"{self.noun}Arn": jobs.submit(context[KEY])["arn"]})

    def _find(self, jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
        context[KEY] = self.found(jobs, params)

    def _find_described(self, jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
        context[KEY] = job = self.found(jobs, params)
        if job and (attempts := attempts_in_sagemaker(job)):
            params[self.name_member] = attempts[-1]["name"]

    def _describe(self, _jobs: JobLookup, context: Context, **_: object) -> Answer | None:
        job: Job | None = context[KEY]
        return answered(self.describe(job)) if job and not attempts_in_sagemaker(job) else None

    def _correct(
        self, _jobs: JobLookup, http_response: AWSResponse, parsed: dict[str, Any], context: Context, **_: object
    ) -> None:
        """Answers from the queue's record if SageMaker does not know the attempt, or the caller cannot see it."""
        job: Job | None = context[KEY]
        if job is None:
            return
        if is_denied(parsed) or parsed.get("Error", {}).get("Code") in _UNKNOWN:
            answer_instead(http_response, parsed, self.describe(job))
        elif "Error" not in parsed and attempts_in_sagemaker(job):
            self.restore_identity(job, parsed)


def _remember_request(_jobs: JobLookup, params: Params, context: Context, **_: object) -> None:
    context[KEY] = params


#: Processing jobs need no other calls.
PROCESSING_HANDLERS = WorkJobs(
    "processing", "ProcessingJob", describe_processing, restore_processing_identity
).handlers()
