import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import boto3
import pytest
from botocore.exceptions import ClientError

from integration.local_sagemaker.endpoint import KEY, REGION, Endpoint, a_command, a_request
from local_guard.rule import KEY_HEADER
from local_sagemaker.script_runner.host.process import kill_orphans

NOWHERE = "http://127.0.0.1:9"  # the discard port: nothing listens
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
NO_KEY = {
    "__type": "InvalidClientTokenId",
    "message": 'This is not the key of the local account. To set it, run: eval "$(sagequeue local env)"',
}
ENVIRONMENT = {**os.environ, **CREDENTIALS, "AWS_ENDPOINT_URL": NOWHERE}


def head_of_a_call(endpoint: Endpoint, length: str, *, key: str) -> bytes:
    lines = (
        "POST / HTTP/1.1",
        f"Host: 127.0.0.1:{endpoint.server.server_port}",
        f"{KEY_HEADER}: {key}",
        f"Content-Length: {length}",
    )
    return "\r\n".join((*lines, "\r\n")).encode()


def test_health_is_json(endpoint: Endpoint) -> None:
    assert ask(endpoint, "GET", "/health") == (200, {"status": "ok", "jobs": 0})


@pytest.mark.parametrize("length", ["x", "-1", "99999999999", ""])
def test_a_body_of_unusable_length_is_refused(endpoint: Endpoint, length: str) -> None:
    with socket.create_connection(("127.0.0.1", endpoint.server.server_port)) as connection:
        connection.sendall(head_of_a_call(endpoint, length, key=KEY))
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


def test_a_caller_without_the_key_is_refused_before_its_body_is_read(endpoint: Endpoint) -> None:
    with socket.create_connection(("127.0.0.1", endpoint.server.server_port), timeout=10) as connection:
        connection.sendall(head_of_a_call(endpoint, "16000000", key="test"))
        assert connection.recv(100).startswith(b"HTTP/1.1 403 ")


def test_a_refused_caller_can_read_why_although_it_sends_a_body(endpoint: Endpoint) -> None:
    body = b"x" * 60_000
    with socket.create_connection(("127.0.0.1", endpoint.server.server_port), timeout=10) as connection:
        connection.sendall(head_of_a_call(endpoint, str(len(body)), key="test") + body)
        answer = b"".join(iter(lambda: connection.recv(1000), b""))  # until the server closes the connection
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert answer.endswith(json.dumps(NO_KEY).encode())


def test_a_connection_on_which_nothing_comes_is_closed(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint.server.RequestHandlerClass, "timeout", 0.1)
    with socket.create_connection(("127.0.0.1", endpoint.server.server_port), timeout=10) as connection:
        connection.sendall(head_of_a_call(endpoint, "100", key=KEY) + b"half of it")
        assert connection.recv(100) == b""


def test_other_paths_are_refused(endpoint: Endpoint) -> None:
    status, error = ask(endpoint, "GET", "/elsewhere")
    assert (status, error["__type"]) == (400, "SerializationException")


def test_a_call_without_a_target_is_refused(endpoint: Endpoint) -> None:
    status, error = ask(endpoint, "POST", "/")
    assert (status, error["__type"]) == (400, "UnknownOperationException")


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/health"), ("POST", "/"), ("POST", "/_control/calls"), ("PUT", "/_control/quotas"), ("DELETE", "/x")],
)
def test_only_callers_with_the_key_get_an_answer(endpoint: Endpoint, method: str, path: str) -> None:
    signed = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/sagemaker/aws4_request"
    for headers in ({"Accept": "*/*"}, {KEY_HEADER: "test"}, {"Authorization": signed}):
        assert ask(endpoint, method, path, **headers) == (403, NO_KEY)
    foreign: dict[str, dict[str, str]] = {"ForeignOrigin": {"Origin": "http://a.example"}, "ForeignHost": {"Host": "a"}}
    for code, headers in foreign.items():
        assert ask(endpoint, method, path, **headers, **{KEY_HEADER: KEY})[1]["__type"] == code


def test_a_server_without_credentials_does_not_start(tmp_path: Path) -> None:
    nothing = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    files = dict.fromkeys(("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"), os.devnull)
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "local_sagemaker", "--state-dir", str(tmp_path), "--endpoint-url", NOWHERE],
        env={**nothing, **files, "AWS_EC2_METADATA_DISABLED": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (1, "Error: there are no AWS credentials; set AWS_ACCESS_KEY_ID")


def test_boto3_understands_the_errors(endpoint: Endpoint) -> None:
    with pytest.raises(ClientError, match=r"\(ValidationException\).*Requested resource not found\."):
        endpoint.client.describe_training_job(TrainingJobName="nobody")


def test_jobs_survive_a_restart_and_lost_work_is_an_internal_error(endpoint: Endpoint) -> None:
    sleeper = a_command("sleep", "600")
    tags = [{"Key": "priority", "Value": "3"}]
    answer = endpoint.client.create_training_job(**a_request("sleeper", AlgorithmSpecification=sleeper, Tags=tags))
    endpoint.wait_for("sleeper", "Training")
    endpoint.stop()
    endpoint.start()
    assert endpoint.wait_for("sleeper", "Failed")["FailureReason"].startswith("InternalServerError: ")
    assert endpoint.client.describe_training_job(TrainingJobName="sleeper")["TrainingJobStatus"] == "Failed"
    assert endpoint.client.list_tags(ResourceArn=answer["TrainingJobArn"])["Tags"] == tags


def test_the_command_serves_until_sigterm_and_leaves_no_process(tmp_path: Path) -> None:
    with subprocess.Popen(  # noqa: S603 - our own command
        [
            sys.executable,
            "-m",
            "local_sagemaker",
            "--port",
            "0",
            "--state-dir",
            str(tmp_path),
            "--startup-seconds",
            "0",
        ],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        client = boto3.client(
            "sagemaker", REGION, endpoint_url=url, aws_access_key_id="test", aws_secret_access_key="test"
        )
        started = tmp_path / "started"
        os.mkfifo(started)
        client.create_training_job(
            **a_request(
                "sleeper", AlgorithmSpecification=a_command("/bin/sh", "-c", f"echo $$ > {started}; exec sleep 600")
            )
        )
        sleeper = int(started.read_text())
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(sleeper, 0)


def test_two_servers_never_share_a_state_directory(endpoint: Endpoint) -> None:
    refused = run_command("--port", "0", "--state-dir", str(endpoint.folder))
    assert refused.returncode == 1
    assert "if another server uses it, choose another --state-dir" in refused.stderr


def test_the_error_for_a_port_in_use_names_it(endpoint: Endpoint, tmp_path: Path) -> None:
    port = str(endpoint.server.server_port)
    refused = run_command("--port", port, "--state-dir", str(tmp_path / "other"))
    assert refused.returncode == 1
    assert f"cannot listen on port {port}: Address already in use" in refused.stderr


def test_processes_of_a_killed_server_are_ended(tmp_path: Path) -> None:
    host = tmp_path / "sleeper" / "algo-1"
    host.mkdir(parents=True)
    with subprocess.Popen(["sleep", "600"], cwd=host) as sleeper:  # noqa: S607 - any sleep will do
        kill_orphans(tmp_path)
        assert sleeper.wait(30) == -signal.SIGKILL
    assert not tmp_path.exists()


def run_command(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "local_sagemaker", *options],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def ask(endpoint: Endpoint, method: str, path: str, **headers: str) -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.server.server_port)
    connection.request(method, path, headers=headers or {KEY_HEADER: KEY})
    answer = connection.getresponse()
    body = json.loads(answer.read())
    connection.close()
    return answer.status, body
