"""A program that waits in SDK v3's tuner gets the best model of all attempts, after a preemption."""

from pathlib import Path

from mypy_boto3_sagemaker import SageMakerClient

from local_account import LocalAccount
from sdks.environments import started
from support.deployed.rest_api import RestApi
from support.deployed.trials import TrialScript
from support.deployed.tuning_jobs import PreemptedTuner
from support.deployed.waiting import eventually


def test_a_tuner_of_sdk_v3_is_queued_preempted_and_continued(
    account: LocalAccount, rest_api: RestApi, sagemaker: SageMakerClient, tmp_path: Path
) -> None:
    script = TrialScript(tmp_path)
    tuner = PreemptedTuner("tuned-v3", "ml.m5.xlarge", script, rest_api, sagemaker)
    with started(account, "v3", "tuner_v3", tuner.name, str(script.source), str(script.permits)) as program:
        tuner.waits_behind_another_job(
            lambda: eventually(program.printed, lambda output: "queued: InProgress" in output, within=300)
        )
        tuner.runs_and_is_preempted()
        assert "ended:" not in program.printed()
        tuner.continues()
        output = program.ended()
    best = tuner.ended_with_every_trial_once()["TrainingJobName"]
    assert "ended: tuned-v3 Completed" in output
    assert f"best: {best}\n" in output
    assert f"/{best}/output/model.tar.gz\n" in output
