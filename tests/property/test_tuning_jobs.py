"""Tuning jobs of the emulator keep their promises, whatever people and the service do to their trials."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from local_sagemaker.conformance.requests import TUNING, a_tuning_request
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR
from local_sagemaker.state_machine.limits import Quotas
from local_sagemaker.state_machine.tuning.job import TuningJob

RANGES = {"CategoricalParameterRanges": [{"Name": "lr", "Values": [str(number) for number in range(12)]}]}
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["wait", "wait", "stop", "stop trial", "fail trial", "hang", "release", "delete trial"]),
        st.integers(0, 8),
    ),
    max_size=15,
)
CONFIGS = st.fixed_dictionaries(
    {
        "Strategy": st.sampled_from(["Random", "Bayesian"]),
        "ResourceLimits": st.fixed_dictionaries(
            {"MaxNumberOfTrainingJobs": st.integers(1, 8), "MaxParallelTrainingJobs": st.integers(1, 4)},
            optional={"MaxRuntimeInSeconds": st.integers(120, 5000)},
        ),
    }
)


class World:
    """One tuning job on a virtual clock. `check` judges the emulator's state after each act."""

    def __init__(self, config: dict[str, Any], quota: int) -> None:
        behaviour = Behaviour(rate_factor=1e6, quotas=Quotas(on_demand={"ml.m5.large": quota}))
        self.simulation = Simulation(_course, behaviour=behaviour)
        self.client = self.simulation.client()
        self.client.create_hyper_parameter_tuning_job(**a_tuning_request(config={"ParameterRanges": RANGES, **config}))
        self.job: TuningJob = self.simulation.machine.tuning.by_name[TUNING]
        self.quota, self.deleted = quota, 0
        self._wait(0)

    @property
    def trials(self) -> list[TrainingJob]:
        return list(self.simulation.machine.jobs.values())

    def act(self, what: str, number: int) -> None:
        live = [job for job in self.trials if not job.is_terminal]
        names = [job.name for job in live] or [""]
        name = names[number % len(names)]
        acts: dict[str, Callable[[], object]] = {
            "wait": lambda: self._wait(100.0 * number),
            "stop": lambda: self.client.stop_hyper_parameter_tuning_job(HyperParameterTuningJobName=TUNING),
            "stop trial": lambda: self.client.stop_training_job(TrainingJobName=name),
            "fail trial": lambda: self.simulation.fail(name, INTERNAL_ERROR),
            "hang": lambda: self.simulation.machine.hang(name),
            "release": lambda: self.simulation.machine.release(name, self.simulation.now),
            "delete trial": self._delete_ended_trial,
        }
        if what in {"wait", "delete trial"} or (live and not self.job.is_terminal):
            acts[what]()
        self._wait(0)

    def finish(self) -> None:
        for job in self.trials:
            self.simulation.machine.release(job.name, self.simulation.now)
        self._wait(100_000)
        assert self.job.is_terminal

    def check(self) -> None:
        live = [job for job in self.trials if not job.is_terminal]
        limits = self.job.config["ResourceLimits"]
        assert len(live) <= min(limits["MaxParallelTrainingJobs"], self.quota)
        assert len(self.job.trials) <= limits["MaxNumberOfTrainingJobs"]
        assert not (self.job.is_terminal and live)
        tuned = [trial.tuned["lr"] for trial in self.job.trials]
        assert len(set(tuned)) == len(tuned)
        shown: Any = self.client.describe_hyper_parameter_tuning_job(HyperParameterTuningJobName=TUNING)
        for counters in (shown["TrainingJobStatusCounters"], shown["ObjectiveStatusCounters"]):
            assert sum(counters.values()) == len(self.job.trials) - self.deleted
        self._check_best(shown)

    def _check_best(self, shown: Any) -> None:
        values = [job.objective_value for job in self.trials if job.status in {"Completed", "Stopped"}]
        best = shown.get("BestTrainingJob", {}).get("FinalHyperParameterTuningJobObjectiveMetric", {}).get("Value")
        assert best == max((value for value in values if value is not None), default=None)

    def _delete_ended_trial(self) -> None:
        ended = [job for job in self.trials if job.is_terminal]
        if ended:
            self.client.delete_training_job(TrainingJobName=ended[0].name)
            self.deleted += 1

    def _wait(self, seconds: float) -> None:
        end = self.simulation.now + seconds
        while (moment := min(self.simulation.next_due(), end)) < end:
            self.simulation.run(max(0.0, moment - self.simulation.now))
            self.check()
        self.simulation.run(max(0.0, end - self.simulation.now))


def _course(request: dict[str, Any]) -> Workload:
    rate = float(request["HyperParameters"]["lr"])
    return Workload(trains=200 + 100 * rate, epochs=tuple({"accuracy": rate + epoch} for epoch in range(3)))


@given(config=CONFIGS, quota=st.integers(1, 4), acts=ACTS)
@settings(max_examples=60, deadline=None)
def test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial(
    config: dict[str, Any], quota: int, acts: list[tuple[str, int]]
) -> None:
    world = World(config, quota)
    for what, number in acts:
        world.act(what, number)
        world.check()
    world.finish()
    world.check()
