"""Follows a tuner on the deployed account: it waits, is preempted midway, and continues with a warm start."""

from collections.abc import Callable
from typing import Any

from mypy_boto3_sagemaker import SageMakerClient

from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.trials import PARALLEL, TRIALS, TrialScript
from support.deployed.waiting import eventually


class PreemptedTuner:
    """Takes one tuning job with TRIALS trials through a preemption. The other jobs need both of its instances."""

    def __init__(
        self, name: str, instance_type: str, script: TrialScript, rest_api: RestApi, sagemaker: SageMakerClient
    ) -> None:
        self.name, self._type, self._script = name, instance_type, script
        self._rest_api, self._sagemaker = rest_api, sagemaker

    def waits_behind_another_job(self, submit: Callable[[], object]) -> None:
        self._occupy("in-front-of", priority=5)
        submit()
        eventually(self._state, lambda state: state == "pending")

    def runs_and_is_preempted(self) -> None:
        self._rest_api.cancel(f"in-front-of-{self.name}")
        eventually(self._state, lambda state: state == "running")
        self._script.permit(PARALLEL)
        eventually(lambda: self.completed(1), lambda done: len(done) == PARALLEL)
        self._occupy("urgent-over", priority=9)
        assert self._state() == "preempted"
        assert not [trial for trial in self._trials(1) if trial["TrainingJobStatus"] == "InProgress"]

    def continues(self) -> None:
        self._script.permit(TRIALS)
        self._rest_api.cancel(f"urgent-over-{self.name}")

    def ended_with_every_trial_once(self) -> dict[str, Any]:
        """Returns the best trial of both attempts."""
        job = eventually(lambda: self._rest_api.job(self.name), lambda job: job["state"] == "completed")
        assert [attempt["outcome"] for attempt in job["attempts"]] == ["preempted", "completed"]
        done = self.completed(1) + self.completed(2)
        assert len(done) == TRIALS
        parents = self._described(2)["WarmStartConfig"]["ParentHyperParameterTuningJobs"]
        assert parents == [{"HyperParameterTuningJobName": f"{self.name}-sq-1"}]
        return max(done, key=lambda trial: trial["FinalHyperParameterTuningJobObjectiveMetric"]["Value"])

    def completed(self, attempt: int) -> list[Any]:
        return [trial for trial in self._trials(attempt) if trial["TrainingJobStatus"] == "Completed"]

    def _occupy(self, prefix: str, priority: int) -> None:
        other = body(f"{prefix}-{self.name}", "sleep 300", instances=PARALLEL, priority=priority)
        other["ResourceConfig"]["InstanceType"] = self._type
        self._rest_api.submit(other)
        eventually(lambda: self._rest_api.job(other["TrainingJobName"]), lambda job: job["state"] == "running")

    def _state(self) -> Any:
        found = [job for job in self._rest_api.jobs() if job["name"] == self.name]
        return found[0]["state"] if found else None

    def _described(self, attempt: int) -> Any:
        return self._sagemaker.describe_hyper_parameter_tuning_job(
            HyperParameterTuningJobName=f"{self.name}-sq-{attempt}"
        )

    def _trials(self, attempt: int) -> list[Any]:
        """Returns the trials of an attempt as SageMaker lists them, without the queue."""
        listed = self._sagemaker.list_training_jobs_for_hyper_parameter_tuning_job(
            HyperParameterTuningJobName=f"{self.name}-sq-{attempt}", MaxResults=100
        )
        return list(listed["TrainingJobSummaries"])
