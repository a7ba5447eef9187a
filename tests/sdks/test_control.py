"""SDK v3's TrainingJob calls on a queued job, other than waiting for its end."""

import re

from local_account import LocalAccount
from sdks.environments import output_of


def test_a_job_can_be_refreshed_waited_for_and_stopped(account: LocalAccount) -> None:
    output = output_of(account, "v3", "control_v3", "controlled")
    told = [
        "held: InProgress Pending",
        r"timeout: .*controlled-\d+ is still held",
        r"refreshed: InProgress controlled-\d+\n",
        "stopped: Stopped stopped",
    ]
    assert re.search(".*".join(told), output, re.DOTALL), output


def test_a_wait_never_ends_on_an_answer_from_before_the_end(account: LocalAccount) -> None:
    output = output_of(account, "v3", "refreshed_v3", "refreshed")
    assert "bad job raises: FailedStatusError" in output, output
    assert re.search(r"good job: Completed s3://\S+/model\.tar\.gz", output), output
