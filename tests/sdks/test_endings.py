"""Whatever SageMaker answers, a program ends, or shows where it hangs."""

from collections.abc import Callable, Iterator
from threading import Condition, Event, Thread
from types import SimpleNamespace

import pytest
import requests

from local_account import LocalAccount
from local_guard.rule import KEY_HEADER
from sdks.environments import output_of, started
from sdks.programs.corpus import name_of
from support.deployed.waiting import eventually

REMOTE_FUNCTION = ("v3", "corpus_v3", "remote_function")
Fault = Callable[..., None]


@pytest.fixture
def creation_fails(account: LocalAccount) -> Iterator[Fault]:
    """Rules for the creation of the remote function's job without the queue (docs/contribute/emulator.md)."""
    control, key = f"{account.settings.sagemaker_endpoint}/_control", {KEY_HEADER: account.key}

    def fails(**rule: object) -> None:
        straight = "v3-remote-fn-*-[0-9][0-9][0-9]"  # its attempts in the queue end with -sq-1
        of_its_job = {"operation": "CreateTrainingJob", "job": straight, **rule}
        requests.post(f"{control}/calls", json=of_its_job, headers=key, timeout=10).raise_for_status()

    yield fails
    requests.delete(f"{control}/rules", headers=key, timeout=10).raise_for_status()


def error(code: str) -> dict[str, object]:
    return {"code": code, "message": "for the test", "http_status": 400}


def test_a_throttled_call_is_repeated_until_sagemaker_takes_it(account: LocalAccount, creation_fails: Fault) -> None:
    creation_fails(times=3, error=error("ThrottlingException"))  # boto3 itself gives up after three
    assert '"program": "remote_function"' in output_of(account, *REMOTE_FUNCTION)


def test_a_refused_remote_call_ends_the_program_with_its_error(account: LocalAccount, creation_fails: Fault) -> None:
    creation_fails(times=1, error=error("ValidationException"))
    with pytest.raises(AssertionError, match=r"(?s)^It ended with 1:.*\(ValidationException\).*for the test"):
        output_of(account, *REMOTE_FUNCTION)


def test_a_program_that_hangs_shows_the_stacks_of_its_threads(account: LocalAccount, creation_fails: Fault) -> None:
    creation_fails(times=1, error=error("ValidationException"), delay_seconds=600)
    with started(account, *REMOTE_FUNCTION) as program:
        eventually(program.printed, lambda output: "Creating job: v3-remote-fn" in output)
        with pytest.raises(AssertionError, match=r"(?s)^It still ran after 0 s.* in _start_and_notify.* in name_of"):
            program.ended(within=0)


def a_future() -> SimpleNamespace:
    """The state of the SDK's own future, before its thread has sent the call."""
    return SimpleNamespace(_condition=Condition(), _job=None, _exception=None, _state="PENDING")


def test_a_remote_call_that_no_thread_sends_says_so() -> None:
    with pytest.raises(TimeoutError, match=r"after 0\.1 s the call is still PENDING: no thread of the SDK sends it"):
        name_of(a_future(), within=0.1)


def test_a_remote_call_that_a_thread_never_finishes_to_send_says_so() -> None:
    future, sends, done = a_future(), Event(), Event()

    def send() -> None:
        with future._condition:
            sends.set()
            done.wait()

    thread = Thread(target=send)
    thread.start()
    sends.wait()
    try:
        with pytest.raises(TimeoutError, match=r"the call is still PENDING: a thread of the SDK is sending it"):
            name_of(future, within=0.1)
    finally:
        done.set()
        thread.join()
