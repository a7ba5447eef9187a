"""`sagequeue doctor` against queues that lack one thing each."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from click.testing import CliRunner

from integration.sagequeue.fakes.http import Call, serving
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue.cli.main import main
from sagequeue.contract.jobs import Attempt
from unit.sagequeue.builders.jobs import a_job, an_attempt

STS = b"""<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
<Arn>arn:aws:iam::123456789012:user/anna</Arn><UserId>x</UserId><Account>123456789012</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>"""

READ_LOGS = (
    "ask for logs:DescribeLogStreams and logs:GetLogEvents on /aws/sagemaker/TrainingJobs "
    "(of a processing job: /aws/sagemaker/ProcessingJobs)."
)


class Account:
    """STS, and services where nothing has the name that is asked for."""

    def __init__(self) -> None:
        self.sts: tuple[int, Any] = (200, STS)
        self.denied: set[str] = set()  # operations
        self.subscriptions: dict[str, str] = {}  # of the topic of mailed notices: ARNs by address
        self.email = ""  # the parameter NoticesEmail
        self.topic = "arn:aws:sns:eu-west-1:123456789012:MailedNotices"

    def answer(self, call: Call) -> tuple[int, Any]:
        if "X-Amz-Target" not in call.headers:
            return self._queried(call.raw)
        is_denied = call.headers["X-Amz-Target"].partition(".")[2] in self.denied
        return 400, {"__type": "AccessDeniedException" if is_denied else "ValidationException", "message": "no"}

    def _queried(self, body: bytes) -> tuple[int, Any]:
        if b"Action=DescribeStacks" in body:
            outputs = "".join(
                f"<member><OutputKey>{name}</OutputKey><OutputValue>{self.topic}</OutputValue></member>"
                for name in ("MailTopic", "NoticesTopic")
            )
            parameter = f"<ParameterKey>NoticesEmail</ParameterKey><ParameterValue>{self.email}</ParameterValue>"
            inner = f"<Outputs>{outputs}</Outputs><Parameters><member>{parameter}</member></Parameters>"
            stack = f"<Stacks><member>{inner}</member></Stacks>"
            return 200, _answer("DescribeStacks", stack)
        if b"Action=ListSubscriptionsByTopic" in body:
            if "ListSubscriptionsByTopic" in self.denied:
                return 403, b"<ErrorResponse><Error><Code>AuthorizationError</Code></Error></ErrorResponse>"
            listed = (
                f"<member><Endpoint>{address}</Endpoint><SubscriptionArn>{arn}</SubscriptionArn></member>"
                for address, arn in self.subscriptions.items()
            )
            return 200, _answer("ListSubscriptionsByTopic", f"<Subscriptions>{''.join(listed)}</Subscriptions>")
        return self.sts


def _answer(operation: str, result: str) -> bytes:
    return f"<{operation}Response><{operation}Result>{result}</{operation}Result></{operation}Response>".encode()


class Guarded:
    """A queue that forbids some of its paths."""

    def __init__(self, queue: FakeQueue, *closed: str) -> None:
        self._queue = queue
        self._closed = closed

    def answer(self, call: Call) -> tuple[int, Any]:
        if call.path.startswith(self._closed):
            return 403, {"message": "Forbidden"}
        if call.raw == b"?":
            return 400, {"error": "not_json", "message": "The body is not JSON.", "field": None, "remedy": "Mend it."}
        return self._queue.answer(call)


class Unconfigured(Guarded):
    """A queue whose configuration cannot be read."""

    def answer(self, call: Call) -> tuple[int, Any]:
        if call.path.startswith("/config"):
            refusal = {"error": "unreadable_record", "message": "CONFIG cannot be read.", "field": None}
            return 503, {**refusal, "remedy": "An operator has to apply a configuration."}
        return super().answer(call)


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    fake = Account()
    with serving(fake) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        yield fake


@pytest.fixture(autouse=True)
def address(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with serving(Guarded(queue)) as url:
        monkeypatch.setenv("SAGEQUEUE_API_URL", url)
        yield


def found() -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in json.loads(run("doctor", "--json").stdout)}


def test_a_healthy_set_up_is_all_right_and_nothing_is_changed(queue: FakeQueue) -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "arn:aws:iam::123456789012:user/anna" in result.stdout
    assert all(line.startswith("✓") for line in result.stdout.splitlines())
    assert (queue.requests, queue.cancelled, queue.intake_open, queue.operators_budget) == ({}, set(), True, None)


@pytest.mark.parametrize(("no_color", "is_coloured"), [("", True), ("1", False)])
def test_colours_can_be_turned_off(monkeypatch: pytest.MonkeyPatch, no_color: str, is_coloured: bool) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    assert ("\x1b[" in CliRunner().invoke(main, ["doctor"], color=True).stdout) is is_coloured


def test_without_credentials_the_remedy_is_to_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    result = run("doctor")
    assert result.exit_code == 4
    assert "✗ credentials" in result.stdout
    assert "aws sso login" in result.stdout


def test_credentials_that_aws_refuses_are_reported_with_the_error_code(account: Account) -> None:
    account.sts = (403, b"<ErrorResponse><Error><Code>ExpiredToken</Code><Message>x</Message></Error></ErrorResponse>")
    assert found()["credentials"]["message"] == "AWS refused the credentials: ExpiredToken."


def test_an_address_that_is_none_ends_the_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGEQUEUE_API_URL", "queue")
    checks = found()
    assert checks["address"]["status"] == "problem"
    assert "SAGEQUEUE_API_URL" in checks["address"]["remedy"]
    assert "queue" not in checks


def test_no_answer_is_a_network_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGEQUEUE_API_URL", "http://127.0.0.1:9")
    assert found()["network"]["status"] == "problem"
    assert run("doctor").exit_code == 4


def test_something_else_at_the_address_is_not_taken_for_a_queue(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(account) as url:
        monkeypatch.setenv("SAGEQUEUE_API_URL", url)
        assert found()["queue"]["status"] == "problem"


def test_each_call_that_is_not_allowed_names_the_permission(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Guarded(queue, "/budget", "/jobs/no.job/hold")) as url:
        monkeypatch.setenv("SAGEQUEUE_API_URL", url)
        checks = found()
    missing = {name: check["remedy"] for name, check in checks.items() if check["status"] != "ok"}
    assert missing == {
        "may see the budget": "If you need it, ask for execute-api:Invoke on GET/budget.",
        "may hold": "If you need it, ask for execute-api:Invoke on POST/jobs/*/hold.",
        "may change the budget": "If you need it, ask for execute-api:Invoke on PUT/budget.",
    }


def test_what_the_queue_cannot_do_now_is_a_warning_with_the_queues_own_remedy(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Unconfigured(queue)) as url:
        monkeypatch.setenv("SAGEQUEUE_API_URL", url)
        checks = found()
        assert run("doctor").exit_code == 0
    told = {name: check for name, check in checks.items() if check["status"] != "ok"}
    assert [*told] == [name for name in checks if name.endswith(" settings")] != []
    assert {(check["status"], check["message"], check["remedy"]) for check in told.values()} == {
        ("warning", "CONFIG cannot be read.", "An operator has to apply a configuration.")
    }


def test_a_type_of_which_no_warm_pool_appears_is_a_warning(queue: FakeQueue) -> None:
    queue.refused_pools.append({"instance_type": "ml.g5.xlarge", "since": "2026-11-21T10:00:00Z"})
    check = found()["warm pools"]
    assert check["status"] == "warning"
    assert "No warm pool of ml.g5.xlarge" in check["message"]


class Training(Guarded):
    """A queue whose running jobs have these attempts."""

    def __init__(self, queue: FakeQueue, *attempts: Attempt) -> None:
        super().__init__(queue)
        self._running = [a_job("running", name=f"job-{n}", attempts=[one]) for n, one in enumerate(attempts)]

    def answer(self, call: Call) -> tuple[int, Any]:
        if (call.method, call.path.partition("?")[0]) == ("GET", "/jobs"):
            return 200, {"jobs": self._running, "next": None, "budget": {}}
        return super().answer(call)


@pytest.mark.parametrize(
    ("listens", "status", "message"),
    [
        (True, "ok", "all 2 running programs read their stop notices"),
        (False, "warning", "1 of 2 running programs do not read their stop notices, such as resnet-sq-2."),
    ],
)
def test_programs_that_stop_notices_do_not_reach_are_a_warning(
    queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, *, listens: bool, status: str, message: str
) -> None:
    without_object = an_attempt(3)
    attempts = [an_attempt(1, takes_notice=True, listens=True), an_attempt(2, takes_notice=True, listens=listens)]
    with serving(Training(queue, *attempts, without_object)) as url:
        monkeypatch.setenv("SAGEQUEUE_API_URL", url)
        check = found()["stop notices"]
    assert (check["status"], check["message"]) == (status, message)
    assert listens or "s3:PutObject on acks/*" in check["remedy"]


@pytest.mark.parametrize(
    ("operation", "check", "remedy"),
    [
        ("DescribeTrainingJob", "may describe attempts", "describes ended jobs from the queue's record"),
        ("DescribeLogStreams", "may find logs", READ_LOGS),
        ("GetLogEvents", "may read logs", READ_LOGS),
        ("GetMetricStatistics", "may read metrics", "SDK v2's training_job_analytics fails"),
    ],
)
def test_a_permission_of_the_user_policy_that_is_missing_is_a_warning(
    account: Account, operation: str, check: str, remedy: str
) -> None:
    account.denied.add(operation)
    missing = {name: each for name, each in found().items() if each["status"] != "ok"}
    assert [*missing] == [check]
    assert missing[check]["status"] == "warning"
    assert missing[check]["message"].endswith(f":{operation} is not allowed.")
    assert remedy in missing[check]["remedy"]
    assert run("doctor").exit_code == 0


@pytest.mark.parametrize(("seconds", "status"), [(0, "ok"), (-90, "warning"), (90, "warning"), (400, "problem")])
def test_a_wrong_clock_is_reported(monkeypatch: pytest.MonkeyPatch, seconds: int, status: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
    monkeypatch.setattr("http.server.BaseHTTPRequestHandler.date_time_string", lambda _: date)
    assert found()["clock"]["status"] == status


def test_another_region_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGEQUEUE_API_URL", "https://x.execute-api.us-west-2.amazonaws.com/v1")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # nobody listens there
    check = found()["region"]
    assert check["message"] == "The queue is in us-west-2, but this shell uses eu-west-1."
    assert "AWS_DEFAULT_REGION=us-west-2" in check["remedy"]


@pytest.fixture
def no_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")


@pytest.mark.usefixtures("no_region")
def test_without_a_region_the_calls_of_aws_are_failed_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cli.doctor.command", "api.transport"):  # as if the queue's address named its region
        monkeypatch.setattr(f"sagequeue.{module}.region_of", lambda _: "eu-west-1")
    failed = {name: check for name, check in found().items() if check["status"] != "ok"}
    assert [*failed] == ["region", "may describe attempts", "may find logs", "may read logs", "may read metrics"]
    assert failed["may read logs"]["message"] == "You must specify a region."
    assert run("doctor").exit_code == 0


@pytest.mark.usefixtures("no_region")
def test_without_any_region_the_checks_that_need_signatures_are_left_out() -> None:
    checks = found()
    assert (checks["region"]["status"], "queue" in checks) == ("problem", False)
    assert run("doctor").exit_code == 4


def test_an_sdk_that_can_bypass_the_queue_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sagequeue.hooks.installation.version", lambda _: "2.3.0")
    check = found()["SageMaker SDK"]
    assert check["message"].startswith("sagemaker-core 2.3.0 can ignore the session")
    assert "sagemaker-core>=2.24" in check["remedy"]


def test_addresses_that_have_not_confirmed_are_listed(queue: FakeQueue, account: Account) -> None:
    queue.sections = {
        "notices": {"mail": [{"to": ["ada@example.org", "ops@example.org"]}, {"to": ["bob@example.org"]}]}
    }
    account.subscriptions = {"ada@example.org": f"{account.topic}:1", "bob@example.org": "PendingConfirmation"}
    lines = [line for line in run("doctor").stdout.splitlines() if "email addresses" in line]
    assert [line.split("email addresses")[1].strip() for line in lines] == [
        "bob@example.org has not confirmed.",
        "ops@example.org has not confirmed.",
    ]
    account.subscriptions = dict.fromkeys(("ada@example.org", "bob@example.org", "ops@example.org"), account.topic)
    assert found()["email addresses"]["message"] == "all 3 email addresses have confirmed"


def test_the_address_of_the_stack_is_listed_until_it_has_confirmed(queue: FakeQueue, account: Account) -> None:
    account.email = "Ops@example.org"
    assert found()["email addresses"]["message"] == "ops@example.org has not confirmed."
    assert "NoticesTopic" in found()["email addresses"]["remedy"]
    account.subscriptions = {"Ops@example.org": f"{account.topic}:1"}
    assert found()["email addresses"]["message"] == "all 1 email addresses have confirmed"


def test_addresses_that_cannot_be_checked_are_a_warning(queue: FakeQueue, account: Account) -> None:
    queue.sections = {"notices": {"mail": [{"to": ["ada@example.org"]}]}}
    account.denied.add("ListSubscriptionsByTopic")
    check = found()["email addresses"]
    assert check["status"] == "warning"
    assert "sns:ListSubscriptionsByTopic" in check["remedy"]
