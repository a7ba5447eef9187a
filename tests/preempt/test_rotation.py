"""Hugging Face's Trainer deletes the lowest steps first. Torn checkpoints must not displace complete ones."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from preempt.test_frameworks import CHECKOUT, PYTHON
from sagequeue_preempt.manifest import NAME, complete

PROGRAMS = Path(__file__).parent / "programs"


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    sources = [str(CHECKOUT / "client/preempt/src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sources)}
    words = [str(word) for word in (PYTHON, PROGRAMS / f"{program}.py", *arguments)]
    return subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, text=True)  # noqa: S603  # ours


def attempt(folder: Path, *arguments: object) -> dict[int, list[str]]:
    """Returns for each save the checkpoints that are complete before the new one is."""
    process = start("huggingface_attempt", folder, *arguments)
    out = process.communicate(timeout=300)[0]
    assert process.returncode == 0, out
    saves = [json.loads(line) for line in out.splitlines() if line.startswith('{"step"')]
    return {save["step"]: save["complete"] for save in saves}


def tear(checkpoint: Path, *steps: int) -> None:
    """Leaves what S3 holds of a save whose manifest was never copied."""
    for step in steps:
        torn = checkpoint.with_name(f"checkpoint-{step}")
        shutil.copytree(checkpoint, torn, ignore=shutil.ignore_patterns(NAME))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*checkpoint-*"))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the complete checkpoint of step 2."""
    folder = tmp_path_factory.mktemp("trained")
    attempt(folder, 2)
    return folder


@pytest.fixture
def folder(trained: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trained, tmp_path / "checkpoints")


@pytest.mark.parametrize("torn", [(20,), (20, 25)])
def test_newer_torn_checkpoints_never_displace_complete_ones(folder: Path, torn: tuple[int, ...]) -> None:
    tear(folder / "checkpoint-2", *torn)
    saves = attempt(folder, 6)
    assert saves == {4: ["checkpoint-2"], 6: ["checkpoint-4"]}
    assert names(folder) == ["checkpoint-4", "checkpoint-6"]


def test_without_a_complete_checkpoint_those_of_an_earlier_program_are_set_aside(folder: Path) -> None:
    tear(folder / "checkpoint-2", 20, 25)
    (folder / "checkpoint-2" / NAME).unlink()
    (folder / "checkpoint-20" / "trainer_state.json").unlink()  # the Trainer cannot resume from it
    attempt(folder, 4)
    assert names(folder) == ["checkpoint-2", "checkpoint-4", "unverified-checkpoint-2", "unverified-checkpoint-25"]
    assert complete(folder / "checkpoint-2")


def test_a_checkpoint_from_which_the_script_resumes_itself_stays(folder: Path) -> None:
    (folder / "checkpoint-2" / NAME).unlink()
    assert attempt(folder, 4, folder / "checkpoint-2") == {4: []}
    assert names(folder) == ["checkpoint-2", "checkpoint-4"]


def test_each_host_clears_its_own_disk(folder: Path, tmp_path: Path) -> None:
    """On the second host, the newest complete checkpoint lacks a file."""
    tear(folder / "checkpoint-2", 20, 25)
    shutil.copytree(folder / "checkpoint-2", folder / "checkpoint-4")
    folders = [folder, shutil.copytree(folder, tmp_path / "host-2")]
    (folders[1] / "checkpoint-4" / "optimizer.pt").unlink()
    ranks = [start("huggingface_host", own, tmp_path / "meeting", rank, 2) for rank, own in enumerate(folders)]
    outs = [rank.communicate(timeout=300)[0] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0, 0], outs
    assert [names(own) for own in folders] == [["checkpoint-2"]] * 2


def test_hosts_without_a_common_checkpoint_begin_at_step_0(folder: Path, tmp_path: Path) -> None:
    """If one host resumed, the hosts would train different steps."""
    tear(folder / "checkpoint-2", 4)
    other = shutil.copytree(folder, tmp_path / "host-2")
    (folder / "checkpoint-2").rename(folder / "checkpoint-6")
    ranks = [start("huggingface_host", own, tmp_path / "meeting", rank, 0) for rank, own in enumerate([folder, other])]
    outs = [rank.communicate(timeout=300)[0] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0, 0], outs
    assert names(folder) == ["unverified-checkpoint-4", "unverified-checkpoint-6"]
    assert names(other) == ["unverified-checkpoint-2", "unverified-checkpoint-4"]
