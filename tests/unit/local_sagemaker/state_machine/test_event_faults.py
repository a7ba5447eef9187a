"""Faults of events: lost, doubled and delayed."""

from local_sagemaker.conformance.requests import a_request
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.fault_injection import EventRule
from unit.local_sagemaker.situations import PATIENT


def statuses(rule: EventRule, seconds: float = 800) -> list[str]:
    """Returns the secondary statuses of the events that arrived during a job."""
    return [event["detail"]["SecondaryStatus"] for event in run(rule, seconds).events]


def run(rule: EventRule, seconds: float = 800) -> Simulation:
    simulation = Simulation(behaviour=PATIENT)
    simulation.machine.fault_rules.events.append(rule)
    simulation.client().create_training_job(**a_request())
    simulation.run(seconds)
    return simulation


def test_an_event_can_be_lost() -> None:
    assert statuses(EventRule((), secondary_status="Training")) == ["Starting", "Downloading", "Uploading", "Completed"]


def test_all_events_can_be_lost() -> None:
    assert statuses(EventRule(())) == []


def test_a_doubled_event_keeps_its_id() -> None:
    first, second, *_ = run(EventRule((0, 5), times=1)).events
    assert first == second


def test_a_doubled_event_can_have_an_id_of_its_own() -> None:
    first, second, *_ = run(EventRule((0, 0), new_ids=True, times=1)).events
    assert first["id"] != second["id"]
    assert first["detail"] == second["detail"]


def test_a_late_event_is_overtaken() -> None:
    rule = EventRule((10_000,), secondary_status="Starting")
    assert statuses(rule) == ["Downloading", "Training", "Uploading", "Completed"]
    assert statuses(rule, seconds=10_000)[-1] == "Starting"


def test_a_late_event_has_the_time_of_its_change() -> None:
    event = run(EventRule((10_000,), secondary_status="Completed"), seconds=20_000).events[-1]
    assert event["detail"]["LastModifiedTime"] == event["detail"]["TrainingEndTime"]


def test_chance_is_repeatable() -> None:
    rule = EventRule((), chance=0.5)
    assert statuses(rule) == statuses(rule)
    assert 0 < len(statuses(rule)) < 5
