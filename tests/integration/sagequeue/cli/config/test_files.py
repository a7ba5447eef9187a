"""Files and folders of `sagequeue config`: what is sent of them, and which line of which file a problem has."""

from pathlib import Path

import pytest

from integration.sagequeue.cli.config.test_config import PLAN
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b.yml").write_text("policy:\n  patience: 5m")
    (tmp_path / "a.yaml").write_text("# Rules of the platform team\nrules:\n  rules: []\n")
    (tmp_path / "notes.md").write_text("not a configuration")
    (tmp_path / ".a.yaml.swp").write_text("an editor's")
    (tmp_path / "deeper.yaml").mkdir()
    return tmp_path


def test_the_files_of_a_folder_are_joined_in_the_order_of_their_names(queue: FakeQueue, folder: Path) -> None:
    queue.faults.append((200, PLAN))
    assert run("config", "drift", str(folder)).exit_code == 6
    assert queue.calls[0].raw == b"# Rules of the platform team\nrules:\n  rules: []\npolicy:\n  patience: 5m\n"


def test_a_file_whose_name_ends_in_capitals_is_joined_too(queue: FakeQueue, folder: Path) -> None:
    """It would silently not be applied."""
    (folder / "c.YAML").write_text("notices: {}\n")
    queue.faults.append((200, PLAN))
    run("config", "drift", str(folder))
    assert queue.calls[0].raw.endswith(b"  patience: 5m\nnotices: {}\n")


def test_a_problem_is_reported_with_its_own_file_and_line(queue: FakeQueue, folder: Path) -> None:
    places = [(2, "rules"), (3, "rules.rules"), (4, "policy"), (5, "policy.patience"), (None, "shares")]
    problems = [{"line": line, "field": field, "message": "is wrong"} for line, field in places]
    refusal = {"error": "bad_config", "message": "no", "field": "rules", "remedy": "", "problems": problems}
    queue.faults.append((400, refusal))
    shown = run("config", "plan", str(folder)).stderr.splitlines()
    assert shown[:5] == [
        f"{folder}/a.yaml:2: rules is wrong",
        f"{folder}/a.yaml:3: rules.rules is wrong",
        f"{folder}/b.yml:1: policy is wrong",
        f"{folder}/b.yml:2: policy.patience is wrong",
        f"{folder}: shares is wrong",
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.yaml", "{notices: {}}", "c.yaml:1: This file cannot be joined"),
        ("c.yaml", "\n- a\n- b\n", "c.yaml:2: This file cannot be joined"),
        ("c.yaml", "  notices: {}\n", "c.yaml:1: This file cannot be joined"),
        ("c.yaml", "just text", "c.yaml:1: This file cannot be joined"),
        ("c.yaml", 'notices:\n  "owners', "c.yaml:2: The file is not valid YAML"),
        ("c.yaml", "notices: \x01", "c.yaml: The file is not valid YAML"),
        ("c.yaml", "notices: {}\nrules: {}\n", "c.yaml:2: The section rules is also in {folder}/a.yaml:2"),
        ("c.json", "{}", "c.json: A JSON file cannot be joined"),
    ],
)
def test_a_file_that_cannot_be_joined_is_refused_here(
    queue: FakeQueue, folder: Path, name: str, content: str, message: str
) -> None:
    (folder / name).write_text(content)
    result = run("config", "plan", str(folder))
    assert (result.exit_code, queue.calls) == (1, [])
    assert f"{folder}/{message.format(folder=folder)}" in result.stderr


def test_a_file_of_comments_only_is_joined(queue: FakeQueue, folder: Path) -> None:
    (folder / "0.yaml").write_text("# Nothing yet")
    queue.faults.append((200, PLAN))
    run("config", "plan", str(folder))
    assert queue.calls[0].raw.startswith(b"# Nothing yet\n# Rules")


@pytest.mark.usefixtures("queue")
def test_a_folder_without_yaml_is_refused(tmp_path: Path) -> None:
    result = run("config", "plan", str(tmp_path))
    assert (result.exit_code, "contains no *.yaml" in result.stderr) == (1, True)


@pytest.mark.usefixtures("queue")
def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes("notices: {} # für alle\n".encode("latin-1"))
    result = run("config", "plan", str(tmp_path / "latin.yaml"))
    assert (result.exit_code, "Save the file as UTF-8" in result.stderr) == (1, True)


def test_a_json_file_alone_is_sent_as_it_is(queue: FakeQueue, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"rules": {}}')
    queue.faults.append((200, PLAN))
    run("config", "plan", str(tmp_path / "config.json"))
    assert queue.calls[0].raw == b'{"rules": {}}'
