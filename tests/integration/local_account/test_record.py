"""The record of the account."""

import json
from dataclasses import replace
from pathlib import Path

from local_account import Settings
from local_account.settings import Record, new_key


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = Record(Settings(port=5566, budget="ml.p5.48xlarge=2"), {"ministack": 4711}, new_key())
    record.save(tmp_path / "home" / "account.json")
    assert Record.load(tmp_path / "home" / "account.json") == record


def test_unknown_settings_of_a_record_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "account.json"
    path.write_text(json.dumps({"settings": {"port": 5566, "colour": "green"}, "pids": {}}))
    assert Record.load(path).settings == replace(Settings(), port=5566)
