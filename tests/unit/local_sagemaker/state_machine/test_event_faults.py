"""Events as EventBridge is told of them: best effort, sometimes twice, in any order."""

from local_sagemaker.conformance.requests import a_request
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.fault_injection import EventRule
from unit.local_sagemaker.situations import PATIENT


def told(rule: EventRule, seconds: float = 800) -> list[str]:
    """The secondary statuses of the events that arrived while a job went its way."""
    return [event["detail"]["SecondaryStatus"] for event in run(rule, seconds).events]


def run(rule: EventRule, seconds: float = 800) -> Simulation:
    simulation = Simulation(behaviour=PATIENT)
    simulation.machine.fault_rules.events.append(rule)
    simulation.client().create_training_job(**a_request())
    simulation.run(seconds)
    return simulation


def test_an_event_can_be_lost() -> None:
    assert told(EventRule((), secondary_status="Training")) == ["Starting", "Downloading", "Uploading", "Completed"]


def test_all_events_can_be_lost() -> None:
    assert told(EventRule(())) == []


def test_a_doubled_event_keeps_its_id() -> None:
    first, second, *_ = run(EventRule((0, 5), times=1)).events
    assert first == second


def test_a_doubled_event_can_have_an_id_of_its_own() -> None:
    first, second, *_ = run(EventRule((0, 0), new_ids=True, times=1)).events
    assert first["id"] != second["id"]
    assert first["detail"] == second["detail"]


def test_a_late_event_is_overtaken() -> None:
    rule = EventRule((10_000,), secondary_status="Starting")
    assert told(rule) == ["Downloading", "Training", "Uploading", "Completed"]
    assert told(rule, seconds=10_000)[-1] == "Starting"


def test_a_late_event_tells_of_the_time_it_is_about() -> None:
    event = run(EventRule((10_000,), secondary_status="Completed"), seconds=20_000).events[-1]
    assert event["detail"]["LastModifiedTime"] == event["detail"]["TrainingEndTime"]


def test_by_chance_is_the_same_chance_each_time() -> None:
    rule = EventRule((), chance=0.5)
    assert told(rule) == told(rule)
    assert 0 < len(told(rule)) < 5
