"""Logs are read from the end of the last read."""

import time
from pathlib import Path

from mypy_boto3_logs.type_defs import InputLogEventTypeDef

from local_account import LocalAccount
from local_account.logs import FileLog, GroupLog


def test_a_file_is_read_from_the_end_of_the_last_read(tmp_path: Path) -> None:
    path = tmp_path / "sam.log"
    path.write_text("one\ntwo\n")
    log = FileLog(path)
    assert log.read_new() == ["one", "two"]
    assert log.read_new() == []
    with path.open("a") as file:
        file.write("three\n")
    assert log.read_new() == ["three"]


def test_a_log_group_is_read_completely_within_one_millisecond(account: LocalAccount) -> None:
    client = account.session().client("logs", endpoint_url=account.settings.endpoint)
    client.create_log_group(logGroupName="/test/group")
    client.create_log_stream(logGroupName="/test/group", logStreamName="stream")
    now = int(time.time() * 1000)
    log = GroupLog("/test/group", client)

    for message in ("one", "two"):
        event: InputLogEventTypeDef = {"timestamp": now, "message": message}
        client.put_log_events(logGroupName="/test/group", logStreamName="stream", logEvents=[event])
        assert log.read_new() == [message]
    assert log.read_new() == []
