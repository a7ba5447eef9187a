"""Every job of a program of SDK v3 reaches the queue, whichever session the SDK uses for it."""

import re

from local_account import LocalAccount
from sdks.environments import output_of


def test_no_session_bypasses_the_queue(account: LocalAccount) -> None:
    output = output_of(account, "v3", "sessions_v3", "sessions")
    held = re.findall(r"sessions-(\w+)\S*: held", output)
    assert held == ["once", "early", "late", "without"], output
    assert "stopped: Stopped" in output
