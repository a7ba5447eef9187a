"""The functions' log lines, as Lambda and CloudWatch read them."""

import json
import re

import pytest

from scheduler.wiring import shared


def test_a_log_line_has_its_time_as_in_rfc_3339(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "log-lines")  # a logger of its own, which writes to this test
    shared.logger.cache_clear()
    shared.logger().info("cycle")
    shared.logger.cache_clear()
    line = json.loads(capsys.readouterr().out)
    assert (line["level"], line["message"]) == ("INFO", "cycle")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)", line["timestamp"])
