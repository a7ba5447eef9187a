"""A sweep while the queue does not answer. `make test-sweeps` runs real studies; here, a fake has one trial."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient, Sweep
from sagequeue.errors import QueueUnreachable
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

TRIES = 6  # of one call
STATES = SimpleNamespace(RUNNING="running", COMPLETE="complete", FAIL="fail")


class Trial:
    number, params, intermediate_values = 0, "the parameters", ()
    state = SimpleNamespace(name="RUNNING")

    def __init__(self, study: "Study", _id: int = 0) -> None:
        self.study, self._trial_id = study, _id
        self.user_attrs: dict[str, Any] = {}

    def set_user_attr(self, name: str, value: object) -> None:
        self.user_attrs[name] = value

    def report(self, value: float, step: int) -> None:
        pass

    def should_prune(self) -> bool:
        return False


class Study:
    study_name = "digits"

    def __init__(self) -> None:
        self.user_attrs: dict[str, Any] = {}
        self.trials: list[Trial] = []
        self.told: list[float] = []

    def set_user_attr(self, name: str, value: object) -> None:
        self.user_attrs[name] = value

    def get_trials(self, **_: object) -> list[Trial]:
        return self.trials

    def ask(self) -> Trial:
        self.trials.append(Trial(self))
        return self.trials[-1]

    def tell(self, _: Trial, value: float) -> None:
        self.told.append(value)


@pytest.fixture
def study(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, clock: Clock, aws: FakeAws) -> Study:
    monkeypatch.setitem(sys.modules, "optuna", SimpleNamespace())  # a package of its own, which is not installed
    monkeypatch.setitem(sys.modules, "optuna.trial", SimpleNamespace(Trial=Trial, TrialState=STATES))
    monkeypatch.setattr("sagequeue.sweeps.sweep.time", clock)
    queue.life = [a_job("completed", "completed", attempts=[an_attempt(2, "completed")])]
    return Study()


def sweep(study: Any, client: QueueClient) -> Sweep:
    return Sweep(study, lambda _: a_request(), "epoch (?P<value>.*)", trials=1, queue=client)


@pytest.mark.parametrize("is_continued", [False, True])
def test_a_queue_that_does_not_answer_the_submission_is_asked_again(
    study: Study, client: QueueClient, queue: FakeQueue, capsys: pytest.CaptureFixture[str], *, is_continued: bool
) -> None:
    if is_continued:
        study.ask()
    queue.faults = [(503, {})] * TRIES * 3
    sweep(study, client).run()
    assert ([*queue.requests], len(study.trials), study.told) == (["digits-0"], 1, [3.0])
    warning = "digits: no answer from the queue; asking again for up to 15 minutes: "
    assert capsys.readouterr().err.count(warning) == 1


def test_a_queue_that_does_not_answer_about_a_job_is_asked_again(
    study: Study, client: QueueClient, queue: FakeQueue
) -> None:
    queue.overtaking = [lambda: queue.faults.extend([(503, {})] * TRIES * 3)]  # after the submission
    sweep(study, client).run()
    assert study.told == [3.0]


def test_a_queue_that_does_not_answer_for_15_minutes_ends_the_sweep(
    study: Study, client: QueueClient, queue: FakeQueue, clock: Clock
) -> None:
    queue.faults = [(503, {})] * 10_000
    with pytest.raises(QueueUnreachable):
        sweep(study, client).run()
    assert 900 <= clock.now < 960
