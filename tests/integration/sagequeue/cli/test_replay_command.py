"""`sagequeue replay`, which comes with the checkout, and only reads history, budget and configuration of the queue."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from integration.sagequeue.fakes.queue import FakeQueue
from queue_replay.cli import replay
from support.builders.prices import prices
from unit.sagequeue.builders.history import GPU, a_change, a_run, at

ALL = ("--since", "2026-11-21T00:00:00Z", "--until", "2026-11-22T00:00:00Z")


def _replay(*words: str) -> Result:
    return CliRunner().invoke(replay, [*ALL, *words])


def _ran(job: str, submitted: float, begin: float, end: float, instances: int = 1, **values: Any) -> Any:
    run = a_run(begin=begin, end=end, waited_since=at(submitted), instances={GPU: instances})
    return a_change(job, submitted_at=at(submitted), state="completed", instances={GPU: instances}, run=run, **values)


@pytest.fixture
def two_in_turn(queue: FakeQueue) -> None:
    """Each took the whole budget of two instances for an hour; the second waited for the first."""
    queue.changes = [_ran("one", 0, 0, 1, instances=2), _ran("two", 0, 1, 2, instances=2)]


@pytest.mark.usefixtures("two_in_turn")
def test_with_twice_the_budget_no_job_waits() -> None:
    answer = json.loads(_replay("--budget", f"{GPU}=4", "--json").stdout)
    assert answer["recorded"]["mean_wait"] == 1800
    assert answer["replayed"]["mean_wait"] == 0
    assert answer["replayed"]["instance_seconds"] == answer["recorded"]["instance_seconds"] == 4 * 3600


@pytest.mark.usefixtures("two_in_turn")
def test_without_another_budget_the_queues_own_holds_and_the_past_comes_back() -> None:
    answer = json.loads(_replay("--json").stdout)
    assert answer["replayed"] == answer["recorded"]


@pytest.mark.usefixtures("two_in_turn")
def test_people_see_a_table_with_what_it_costs() -> None:
    shown = _replay("--budget", f"{GPU}=4").stdout
    for words in ("recorded", "replayed", "30.0 min", "0.0 min", "$6.00"):
        assert words in shown


@pytest.mark.usefixtures("two_in_turn")
def test_another_price_is_told_beside_the_one_in_force(tmp_path: Path) -> None:
    file = a_file(tmp_path, prices=prices("2026-11-20", ml_g5_xlarge=3))
    answer = json.loads(_replay("--config", file, "--json").stdout)
    assert (answer["recorded"]["cost"], answer["replayed"]["cost"]) == ("6.00", "12.00")


def a_file(folder: Path, **sections: Any) -> str:
    file = folder / "other.json"
    file.write_text(json.dumps(sections))
    return str(file)


#: Jobs can be preempted soon enough for the windows of these tests.
_SHORT = {"protected_run_time": "1h"}


def _night(budget: int) -> dict[str, Any]:
    """From 02:00 to 05:00 of each day; the jobs of these tests are submitted at 00:00."""
    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    window = {"name": "night", "budget": {GPU: budget}, "weekly": [f"{day} 02:00 - {day} 05:00" for day in days]}
    return {"time_zone": "UTC", "windows": [window], "excess": "preempt"}


@pytest.mark.usefixtures("two_in_turn")
def test_another_calendar_gives_more_instances_in_its_windows(tmp_path: Path) -> None:
    words = ("--budget", f"{GPU}=0", "--config", a_file(tmp_path, calendar=_night(2), policy=_SHORT), "--json")
    replayed = json.loads(_replay(*words).stdout)["replayed"]
    assert replayed["mean_wait"] == 9000  # both wait for the window, one of them for the other as well


def test_the_calendar_in_force_is_played_again(queue: FakeQueue) -> None:
    long = _ran("long", 0, 0, 3, instances=2, has_checkpoints=True)
    queue.changes = [long]
    queue.sections = {"calendar": _night(0), "policy": _SHORT}
    replayed = json.loads(_replay("--json").stdout)["replayed"]
    # It is preempted until 05:00.
    assert (replayed["preemptions"], replayed["mean_wait"]) == (1, 3 * 3600)


@pytest.mark.usefixtures("two_in_turn")
def test_while_an_operators_own_budget_holds_the_calendar_rests(queue: FakeQueue) -> None:
    queue.sections = {"calendar": _night(0)}
    queue.calendar = {**queue.calendar, "calendar_rests": True}
    assert json.loads(_replay("--json").stdout)["replayed"]["mean_wait"] == 1800


@pytest.mark.usefixtures("two_in_turn")
def test_in_a_window_the_queues_own_budget_is_that_of_the_time_without_one(queue: FakeQueue) -> None:
    queue.operators_budget = {"budget": {GPU: 9}, "source": "calendar", "stop_over_budget": False}
    periods = [{"begins": at(0), "budget": {GPU: count}, "excess": {}, "windows": names} for count, names in _PERIODS]
    queue.calendar = {**queue.calendar, "periods": periods}
    assert json.loads(_replay("--json").stdout)["replayed"]["mean_wait"] == 1800


_PERIODS = [(9, ["night"]), (2, [])]


@pytest.mark.usefixtures("queue")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("calendar:\n  windos: []\n", "file.yaml:2: calendar.windos is not a known member; did you mean windows?"),
        ("\ncalender: {}\n", "file.yaml:2: calender is not a kind of settings; did you mean calendar?"),
        ("policy:\n\tpatience: 5m\n", "file.yaml:2:"),
    ],
)
def test_a_file_that_makes_no_sense_is_wrong_usage(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "file.yaml").write_text(text)
    refused = _replay("--config", str(tmp_path / "file.yaml"))
    words = " ".join(refused.output.replace("│", "").split())
    assert (refused.exit_code, problem in words) == (2, True), words


@pytest.mark.usefixtures("two_in_turn")
def test_jobs_that_a_smaller_budget_never_runs_are_named() -> None:
    assert "Never started: one, two" in _replay("--budget", f"{GPU}=1").stdout


def test_another_policy_is_read_from_a_file(queue: FakeQueue, tmp_path: Path) -> None:
    low, high = _ran("low", 0, 0, 10, instances=2), _ran("high", 1, 10, 11, instances=2, priority=9)
    queue.changes = [low, high]
    file = a_file(tmp_path, policy={"patience": "0s", "protected_run_time": "0s"})
    found = json.loads(_replay("--config", file, "--json").stdout)["replayed"]
    assert (found["preemptions"], found["mean_wait"]) == (1, 1800)  # the low one waits for an hour, the high one never


def test_several_files_are_compared(queue: FakeQueue, tmp_path: Path) -> None:
    queue.changes = [_ran("low", 0, 0, 10, instances=2), _ran("high", 1, 10, 11, instances=2, priority=9)]
    patient, eager = tmp_path / "patient.json", tmp_path / "eager.json"
    patient.write_text(json.dumps({"policy": {"preemptions_per_job": 0}}))
    eager.write_text(json.dumps({"policy": {"patience": "0s", "protected_run_time": "0s"}}))
    words = ("--config", str(patient), "--config", str(eager))
    found = json.loads(_replay(*words, "--json").stdout)["replays"]
    assert {name: figures["preemptions"] for name, figures in found.items()} == {str(patient): 0, str(eager): 1}
    assert "--picture draws one replay" in _replay(*words, "--picture", "both.svg").output
    assert _replay(*words).stdout.count(" min ") >= 4


def test_jobs_whose_story_is_not_whole_are_left_out_and_counted(queue: FakeQueue) -> None:
    began_before = _ran("before", 0, 1, 2, version=3) | {"submitted_at": "2026-11-20T10:00:00Z"}
    queue.changes = [_ran("one", 0, 0, 1), began_before, a_change("running", submitted_at=at(1))]
    assert "2 jobs are left out" in _replay().stdout


@pytest.mark.usefixtures("queue")
def test_without_a_history_there_is_nothing_to_replay() -> None:
    refused = _replay()
    assert (refused.exit_code, "No job in the history began and ended" in refused.output) == (1, True)


@pytest.mark.parametrize("words", [("--budget", "ml.g5.xlarge"), ("--budget", f"{GPU}=1", "--budget", f"{GPU}=2")])
def test_a_budget_that_makes_no_sense_is_wrong_usage(queue: FakeQueue, words: tuple[str, ...]) -> None:
    assert (_replay(*words).exit_code) == 2


@pytest.mark.parametrize("text", ['{"patients": 0}', "[]", "{"])
def test_a_policy_that_makes_no_sense_is_wrong_usage(queue: FakeQueue, tmp_path: Path, text: str) -> None:
    (tmp_path / "policy.json").write_text(text)
    assert _replay("--policy", str(tmp_path / "policy.json")).exit_code == 2


@pytest.mark.usefixtures("two_in_turn")
def test_a_picture_shows_both(tmp_path: Path) -> None:
    for file in (tmp_path / "replay.svg", tmp_path / "again.svg"):
        assert _replay("--budget", f"{GPU}=4", "--picture", str(file)).exit_code == 0
    drawn = (tmp_path / "replay.svg").read_text()
    assert all(f"<!-- {text} -->" in drawn for text in ("recorded", "replayed", "waiting jobs", "instances held"))
    assert drawn == (tmp_path / "again.svg").read_text()


@pytest.mark.usefixtures("two_in_turn")
def test_a_picture_of_no_known_kind_is_refused(tmp_path: Path) -> None:
    refused = _replay("--picture", str(tmp_path / "replay.doc"))
    assert (refused.exit_code, "replay.doc" in refused.output) == (2, True)


def test_the_policy_in_force_is_played_again(queue: FakeQueue) -> None:
    queue.changes = [_ran("low", 0, 0, 10, instances=2), _ran("high", 1, 10, 11, instances=2, priority=9)]
    assert json.loads(_replay("--json").stdout)["replayed"]["preemptions"] == 1
    queue.sections = {"policy": {"preemptions_per_job": 0}}
    assert json.loads(_replay("--json").stdout)["replayed"]["preemptions"] == 0
