"""Submits a CreateTrainingJob request from CI, with requests and botocore only, and waits until the job has ended.

    python examples/submit_and_wait.py request.json [--name NAME] [--cancel]

`--name` replaces the request's TrainingJobName; `--cancel` cancels the job of that name instead. POLL_SECONDS (15) is
the time between two polls. The exit code shows the result:

    0   the job completed                        1   the queue refuses the job
    10  the job failed                           2   the request cannot be read
    11  the job was stopped                      4   no credentials were found
    12  the job is parked: it needs a change     5   the queue cannot be reached
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import requests
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import NoCredentialsError
from botocore.session import Session
from requests.adapters import HTTPAdapter
from urllib3 import Retry

EXIT_CODES = {"completed": 0, "failed": 10, "stopped": 11, "parked": 12}
POLL_SECONDS = float(os.environ.get("POLL_SECONDS", "15"))
PATIENT = Retry(total=5, backoff_factor=1, status_forcelist=(429, 500, 502, 503, 504), allowed_methods=None)


class SigV4(requests.auth.AuthBase):
    """Signs with the current credentials of the environment, because those of a role are renewed."""

    def __init__(self) -> None:
        self._session = Session()

    def __call__(self, call: requests.PreparedRequest) -> requests.PreparedRequest:
        signed = AWSRequest(call.method, call.url, data=call.body)
        region = self._session.get_config_variable("region")
        SigV4Auth(self._session.get_credentials(), "execute-api", region).add_auth(signed)  # type: ignore[arg-type] # or it raises
        call.headers.update(dict(signed.headers.items()))
        return call


def main() -> int:
    arguments = _arguments()
    try:
        request = json.loads(arguments.request.read_text())
    except (OSError, ValueError) as error:
        print(f"{arguments.request} cannot be read: {error}", file=sys.stderr)
        return 2
    if arguments.name:
        request["TrainingJobName"] = arguments.name
    if "SAGEQUEUE_API_URL" not in os.environ:
        print("SAGEQUEUE_API_URL is not set; set it to the output ApiUrl of the queue's stack", file=sys.stderr)
        return 2
    queue = requests.Session()
    queue.auth = SigV4()
    queue.mount("http", HTTPAdapter(max_retries=PATIENT))  # calls can be repeated without harm
    try:
        return _cancel(queue, request["TrainingJobName"]) if arguments.cancel else _train(queue, request)
    except requests.HTTPError as error:
        print(error.response.text, file=sys.stderr)  # a refusal has a message, a field and a remedy
        return 1
    except NoCredentialsError as error:
        print(error, file=sys.stderr)
        return 4
    except requests.RequestException as error:
        print(f"the queue cannot be reached: {error}", file=sys.stderr)
        return 5


def _train(queue: requests.Session, request: dict[str, Any]) -> int:
    job = _call(queue, "POST", "/add-job", request)
    state = None
    while True:
        if job["state"] != state:
            state = job["state"]
            print(f"{job['name']} is {state}: {job['reason']['message']}", flush=True)
        if state in EXIT_CODES:
            return EXIT_CODES[state]
        time.sleep(POLL_SECONDS)
        job = _call(queue, "GET", f"/jobs/{job['name']}")


def _cancel(queue: requests.Session, name: str) -> int:
    print(f"{name} is {_call(queue, 'POST', f'/jobs/{name}/cancel')['state']}")
    return 0


def _call(queue: requests.Session, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = queue.request(method, os.environ["SAGEQUEUE_API_URL"] + path, json=body, timeout=30)
    answer.raise_for_status()
    content: dict[str, Any] = answer.json()
    return content


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Submit a training job and wait for its end.")
    parser.add_argument("request", type=Path)
    parser.add_argument("--name")
    parser.add_argument("--cancel", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
