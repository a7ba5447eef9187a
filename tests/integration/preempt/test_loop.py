"""A training loop that is asked to stop: it saves, acknowledges, waits to be stopped, and resumes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from integration.preempt.machine import (
    ATTEMPT,
    BUCKET,
    ENVIRON,
    RUN,
    STOP,
    Clock,
    Killed,
    Trainer,
    acknowledged,
    preemptible,
    put,
    until_killed,
)
from sagequeue_preempt import Preemptible
from sagequeue_preempt.groups import Alone
from support.deployed.waiting import eventually


def queued(folder: Path, s3: Any, clock: Clock, **options: Any) -> Preemptible:
    own = {"every_minutes": 10, "environ": ENVIRON, "clock": clock.time, "sleep": clock.sleep}
    return preemptible(folder, **{**own, "s3": s3, **options})


def stopped() -> None:
    """SageMaker ends the process while it waits."""
    raise Killed


def read_notice(job: Preemptible) -> None:
    """Waits until the thread has seen what is in S3."""
    eventually(lambda: job._session._asked_at, lambda asked_at: asked_at is not None, within=60)


def test_a_job_that_is_asked_to_stop_saves_acknowledges_and_resumes_at_the_next_step(
    tmp_path: Path, s3: Any, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer, clock.while_asleep = Trainer(), stopped
    with until_killed(), queued(tmp_path, s3, clock) as job:
        assert job.resume(trainer.load) == 0
        for step in range(10):
            trainer.train(step)
            if step == 3:
                put(s3, STOP)
                read_notice(job)
            job.step(step, trainer.save)
    assert trainer.done == [0, 1, 2, 3]
    saved = acknowledged(s3)
    assert saved == {
        "attempt": ATTEMPT,
        "step": 3,
        "saved_at": "2027-01-15T08:00:00+00:00",
        "save_seconds": 0.0,
        "stop_asked_at": STOP["asked_at"],
        "uploaded": None,
    }
    assert "[sagequeue]" not in capsys.readouterr().out
    second = Trainer()
    with preemptible(tmp_path) as job:
        assert second.run(job, 10) == 4
    assert second.state == sum(range(10))


def test_a_program_reports_at_its_start_that_it_listens(tmp_path: Path, s3: Any, clock: Clock) -> None:
    with queued(tmp_path, s3, clock):
        assert acknowledged(s3) == {
            "attempt": ATTEMPT,
            "step": None,
            "saved_at": "2027-01-15T08:00:00+00:00",
            "save_seconds": 0.0,
            "stop_asked_at": None,
            "uploaded": None,
        }


def test_periodic_saves_are_acknowledged_too(tmp_path: Path, s3: Any, clock: Clock) -> None:
    trainer, saves = Trainer(), []
    with queued(tmp_path, s3, clock) as job:
        for step in range(25):
            clock.now += 60
            trainer.train(step)
            job.step(step, trainer.save)
            if step in {9, 10, 19, 20}:
                saves.append(acknowledged(s3)["step"])
    assert saves == [9, 9, 19, 19]
    assert acknowledged(s3)["stop_asked_at"] is None


@pytest.fixture
def signals() -> Iterator[list[int]]:
    """The arguments of the handler of the script."""
    calls: list[int] = []

    def handler(number: int, frame: FrameType | None) -> None:
        calls.append(number)

    earlier = signal.signal(signal.SIGTERM, handler)
    yield calls
    assert signal.getsignal(signal.SIGTERM) is handler
    signal.signal(signal.SIGTERM, earlier)


def test_in_a_training_job_that_the_queue_gives_no_notice_sigterm_saves_and_the_process_waits(
    tmp_path: Path, clock: Clock, signals: list[int]
) -> None:
    """SageMaker kills it; until then it still copies the checkpoint."""
    trainer, clock.while_asleep = Trainer(), stopped
    environ = {"TRAINING_JOB_NAME": ATTEMPT}
    with until_killed(), preemptible(tmp_path, environ=environ, sleep=clock.sleep, every_minutes=1e9) as job:
        trainer.train(0)
        os.kill(os.getpid(), signal.SIGTERM)
        job.step(0, trainer.save)
    assert (len(list(tmp_path.iterdir())), signals) == (1, [])


def test_in_a_training_job_sigterm_saves_at_the_next_step_and_the_process_waits(
    tmp_path: Path, s3: Any, clock: Clock, signals: list[int]
) -> None:
    """A handler that exits with 0 would complete the job."""
    trainer, clock.while_asleep = Trainer(), stopped
    with until_killed(), queued(tmp_path, s3, clock) as job:
        trainer.train(0)
        os.kill(os.getpid(), signal.SIGTERM)
        assert not list(tmp_path.iterdir())  # nothing is saved in the handler
        job.step(0, trainer.save)
    assert (acknowledged(s3)["step"], signals) == (0, [])


def test_outside_sagemaker_sigterm_saves_and_reaches_the_earlier_handler_each_time(
    tmp_path: Path, signals: list[int]
) -> None:
    trainer, seen = Trainer(), []
    with preemptible(tmp_path, every_minutes=1e9) as job:
        for step in range(4):
            trainer.train(step)
            if step in {1, 2}:
                os.kill(os.getpid(), signal.SIGTERM)
            job.step(step, trainer.save)
            seen.append((len(signals), len(list(tmp_path.iterdir()))))
    assert seen == [(0, 0), (1, 1), (2, 2), (2, 2)]


def test_outside_sagemaker_sigterm_saves_and_ends_the_process(tmp_path: Path) -> None:
    code = f"""
import os, signal
from sagequeue_preempt import Preemptible
with Preemptible(folder={str(tmp_path)!r}, environ={{}}) as job:
    os.kill(os.getpid(), signal.SIGTERM)
    job.step(7, lambda path: (path / "model").write_text("abc"))
    print("trains on")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603  # ours
    assert (ended.returncode, ended.stdout) == (-signal.SIGTERM, "")
    with preemptible(tmp_path) as job:
        assert job.resume(lambda path: (path / "model").read_text()) == 8


def test_a_job_that_nobody_stops_trains_on_and_answers_only_a_new_notice(
    tmp_path: Path, s3: Any, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    put(s3, STOP)
    trainer = Trainer()
    with queued(tmp_path, s3, clock, wait_seconds=300) as job:
        read_notice(job)
        for step in range(3):
            trainer.train(step)
            job.step(step, trainer.save)
        assert acknowledged(s3)["step"] == 0
        put(s3, {**STOP, "asked_at": "later"})
        read_notice(job)
        trainer.train(3)
        job.step(3, trainer.save)
    assert acknowledged(s3)["step"] == 3
    assert capsys.readouterr().out.count("the job was not stopped within 300 s: trains on") == 2


def test_a_program_waits_longer_than_the_notice_and_still_acknowledges_an_upload(
    tmp_path: Path, s3: Any, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = {
        **ENVIRON,
        "SAGEQUEUE_CHECKPOINT_PATH": str(tmp_path),
        "SAGEQUEUE_CHECKPOINT_URI": f"s3://{BUCKET}/checkpoints/resnet",
    }
    began = clock.now

    def copy_late() -> None:
        if clock.now == began + 1000:
            for path in filter(Path.is_file, tmp_path.rglob("*")):
                key = f"checkpoints/resnet/{path.relative_to(tmp_path).as_posix()}"
                s3.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())

    put(s3, {**STOP, "notice_seconds": 1200})
    trainer, clock.while_asleep = Trainer(), copy_late
    with queued(tmp_path, s3, clock, environ=environ) as job:
        read_notice(job)
        trainer.train(0)
        job.step(0, trainer.save)
    assert acknowledged(s3)["uploaded"] is True
    assert "the job was not stopped within 1380 s: trains on" in capsys.readouterr().out


def test_a_stop_that_the_queue_withdraws_ends_the_wait(
    tmp_path: Path, s3: Any, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    put(s3, STOP)
    trainer = Trainer()
    with queued(tmp_path, s3, clock) as job:

        def withdraw() -> None:
            put(s3, RUN)
            eventually(lambda: job._session._asked_at, lambda asked_at: asked_at is None, within=60)

        clock.while_asleep = withdraw
        read_notice(job)
        trainer.train(0)
        job.step(0, trainer.save)
    assert "the stop was withdrawn: trains on" in capsys.readouterr().out


def test_a_save_before_a_stop_is_acknowledged_again_when_it_is_in_s3(tmp_path: Path, s3: Any, clock: Clock) -> None:
    environ = {
        **ENVIRON,
        "SAGEQUEUE_CHECKPOINT_PATH": str(tmp_path),
        "SAGEQUEUE_CHECKPOINT_URI": f"s3://{BUCKET}/checkpoints/resnet",
    }
    put(s3, STOP)
    seen: list[bool] = []

    def copy_one() -> None:
        seen.append(acknowledged(s3)["uploaded"])
        for path in tmp_path.rglob("*"):
            key = f"checkpoints/resnet/{path.relative_to(tmp_path).as_posix()}"
            if path.is_file() and not s3.list_objects_v2(Bucket=BUCKET, Prefix=key)["KeyCount"]:
                s3.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())
                return
        raise Killed

    clock.while_asleep = copy_one
    trainer = Trainer()
    with until_killed(), queued(tmp_path, s3, clock, environ=environ) as job:
        read_notice(job)
        trainer.train(0)
        job.step(0, trainer.save)
    assert seen == [False, False, False, True]  # three files, then it waits for the stop


def stopped_with(uri: str, folder: Path, s3: Any, clock: Clock) -> dict[str, Any]:
    """Returns the acknowledgement of a save before a stop, while SageMaker copies to the root of the bucket."""

    def copy() -> None:
        for path in filter(Path.is_file, folder.rglob("*")):
            s3.put_object(Bucket=BUCKET, Key=path.relative_to(folder).as_posix(), Body=path.read_bytes())
        clock.while_asleep = stopped

    put(s3, STOP)
    environ = {**ENVIRON, "SAGEQUEUE_CHECKPOINT_PATH": str(folder), "SAGEQUEUE_CHECKPOINT_URI": uri}
    trainer, clock.while_asleep = Trainer(), copy
    with until_killed(), queued(folder, s3, clock, environ=environ) as job:
        read_notice(job)
        trainer.train(0)
        job.step(0, trainer.save)
    return acknowledged(s3)


@pytest.mark.parametrize("end", ["", "/"])
def test_checkpoints_at_the_root_of_a_bucket_are_found_there(end: str, tmp_path: Path, s3: Any, clock: Clock) -> None:
    assert stopped_with(f"s3://{BUCKET}{end}", tmp_path, s3, clock)["uploaded"] is True


def test_an_address_of_another_form_is_reported(
    tmp_path: Path, s3: Any, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"https://{BUCKET}.s3.amazonaws.com/checkpoints"
    assert stopped_with(uri, tmp_path, s3, clock)["uploaded"] is None
    line = f"cannot list {uri}, which is not an S3 URI; saves are acknowledged before they are in S3"
    assert capsys.readouterr().out.count(line) == 1


def test_outside_the_queue_a_loop_saves_and_resumes_without_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = Trainer()
    with preemptible(tmp_path) as job:
        assert trainer.run(job, 3) == 0
    assert capsys.readouterr().out == "sagequeue_preempt: begins at step 0\n"


@pytest.mark.parametrize(
    ("name", "value"), [("WORLD_SIZE", "8"), ("OMPI_COMM_WORLD_SIZE", "2"), ("SM_HOSTS", '["algo-1","algo-2"]')]
)
def test_several_ranks_or_hosts_without_a_group_are_refused(name: str, value: str, tmp_path: Path) -> None:
    message = re.escape(f"{name} is {value}: give group=sagequeue_preempt.ddp.TorchGroup()")
    with pytest.raises(ValueError, match=message):
        Preemptible(environ={name: value})
    Preemptible(environ={name: value}, folder=tmp_path, group=Alone())


@pytest.mark.parametrize(
    "environ", [{"WORLD_SIZE": "1"}, {"OMPI_COMM_WORLD_SIZE": "1"}, {"SM_HOSTS": '["algo-1"]'}], ids=str
)
def test_one_rank_on_one_host_needs_no_group(environ: dict[str, str]) -> None:
    Preemptible(environ=environ)


def test_several_hosts_are_refused_also_in_an_image_without_the_training_toolkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only AWS's toolkit sets SM_HOSTS. SageMaker writes the file for each training job."""
    config = tmp_path / "resourceconfig.json"
    monkeypatch.setattr("sagequeue_preempt.launch.RESOURCE_CONFIG", config)
    config.write_text('{"current_host": "algo-1", "hosts": ["algo-1"]}')
    Preemptible(environ={})
    config.write_text('{"current_host": "algo-1", "hosts": ["algo-1", "algo-2"]}')
    with pytest.raises(ValueError, match=r"resourceconfig\.json lists 2 hosts: give group="):
        Preemptible(environ={})


def test_the_last_k_checkpoints_are_kept(tmp_path: Path) -> None:
    trainer = Trainer()
    with preemptible(tmp_path, keep=2) as job:
        trainer.run(job, 5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["save-000004-step-3", "save-000005-step-4"]


def test_a_torn_checkpoint_is_skipped_and_never_displaces_a_complete_one(tmp_path: Path) -> None:
    """S3 gave back manifests of three saves, but the files of the first only."""
    trainer = Trainer()
    with preemptible(tmp_path, keep=4) as job:
        trainer.run(job, 3)
    for path in tmp_path.glob("save-00000[23]-*"):
        (path / "optimizer").write_text("")
    with preemptible(tmp_path, keep=2) as job:
        second = Trainer()
        assert job.resume(second.load) == 1
        second.train(1)
        job.step(1, second.save)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["save-000001-step-0", "save-000004-step-1"]


def test_a_symbolic_link_is_refused_when_it_is_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="symbolic link"), preemptible(tmp_path) as job:
        job.step(0, lambda path: (path / "latest").symlink_to("elsewhere"))


class LikeNumpy:
    """An integer of another library, such as numpy.int64, which JSON cannot hold."""

    def __index__(self) -> int:
        return 7


def test_a_step_of_another_integer_type_is_saved_and_found(tmp_path: Path) -> None:
    with preemptible(tmp_path) as job:
        job.step(LikeNumpy(), lambda path: (path / "model").write_text("abc"))
        assert job.resume(lambda _: None) == 8


@pytest.mark.parametrize(
    ("step", "kind", "message"), [(7.0, TypeError, "integer"), (-1, ValueError, "step is -1: use 0 or more")]
)
def test_a_step_that_no_folder_can_have_is_refused_before_a_save_is_due(
    tmp_path: Path, step: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message), preemptible(tmp_path, every_minutes=1e9) as job:
        job.step(step, lambda _: None)


def test_the_manifest_names_step_sizes_and_digests(tmp_path: Path) -> None:
    with preemptible(tmp_path) as job:
        job.step(7, lambda path: (path / "model").write_text("abc"))
    manifest = json.loads((tmp_path / "save-000001-step-7" / "sagequeue-manifest.json").read_text())
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert (manifest["step"], manifest["files"]) == (7, {"model": {"bytes": 3, "sha256": digest}})
