"""Guards the emulated SageMaker, which has no IAM: refuses calls that a role's policies do not allow. The local
account's policy simulator decides. All calls count as calls by that role.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import requests

from local_account.settings import REGION

_TRAINING_JOB = f"arn:aws:sagemaker:{REGION}:000000000000:training-job/"


@contextmanager
def gate(iam: Any, role: str, sagemaker: str) -> Iterator[str]:
    """Yields the URL at which the role calls SageMaker."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            action = f"sagemaker:{self.headers['X-Amz-Target'].partition('.')[2]}"
            refusal = refused(iam, role, action, json.loads(body))
            host = {"Host": urlsplit(sagemaker).netloc}  # the emulator answers only calls that name its own host
            answer = refusal or forwarded(sagemaker, {**self.headers, **host}, body)
            self.send_response(answer[0])
            self.send_header("Content-Length", str(len(answer[1])))
            self.end_headers()
            self.wfile.write(answer[1])

        def log_message(self, *args: object) -> None:
            """Logs nothing, to keep the output of tests short."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def refused(iam: Any, role: str, action: str, body: dict[str, str]) -> tuple[int, bytes] | None:
    """Returns SageMaker's refusal, unless the role's policies allow the call."""
    resource = f"{_TRAINING_JOB}{body['TrainingJobName'].lower()}" if "TrainingJobName" in body else "*"
    simulated = iam.simulate_principal_policy(PolicySourceArn=role, ActionNames=[action], ResourceArns=[resource])
    if simulated["EvaluationResults"][0]["EvalDecision"] == "allowed":
        return None
    message = f"User: {role} is not authorized to perform: {action} on resource: {resource}"
    return 400, json.dumps({"__type": "AccessDeniedException", "Message": message}).encode()


def forwarded(sagemaker: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
    answer = requests.post(sagemaker, data=body, headers=headers, timeout=60)
    return answer.status_code, answer.content
