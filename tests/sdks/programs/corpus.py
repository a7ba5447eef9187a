"""The shared part of all SDKs' corpora: every program runs straight and through the queue, and its jobs are printed.

Prints a line of JSON for each: the job's name as it was sent straight and through the queue. For `PROGRAM:refused` it
is the queue's refusal.
"""

import faulthandler
import json
import os
import sys
import traceback
from collections.abc import Callable
from threading import Thread
from typing import Any

from botocore.exceptions import ClientError

#: Runs the program of that name on a session of the SDK's, and gives its job's name.
Send = Callable[[str, Any], str]

#: While SageMaker throttles its call, botocore waits up to 111 seconds in AWS_MAX_ATTEMPTS=10.
SENT_WITHIN_SECONDS = 150


def tell(programs: list[str], send: Send, straight: Any, queued: Any) -> None:
    """The end of the process, after an error too: threads of the SDK's executors would wait for the ends of their
    jobs, or forever for a job (`_submit_worker` and `_polling_worker` in the SDK's `remote_function/client.py`).
    """
    code = 1
    try:
        _tell(programs, send, straight, queued)
        code = 0
    except BaseException:  # noqa: BLE001  # whatever it is, nothing may wait for those threads
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _tell(programs: list[str], send: Send, straight: Any, queued: Any) -> None:
    for program in programs:
        name, _, refused = program.partition(":")
        if refused:
            told = {"refusal": _refusal(send, name, queued)}
        else:
            told = {"straight": send(name, straight), "queued": send(name, queued)}
        print("corpus " + json.dumps({"program": name, **told}))


def name_of(future: Any, within: float = SENT_WITHIN_SECONDS) -> str:
    """The job's name, which another thread of the SDK makes. Raises what kept it from that."""
    # In a thread of its own, because a wait ends only with the lock, which the SDK's thread holds while it sends.
    waiting = Thread(target=_await_answer, args=[future], daemon=True)
    waiting.start()
    waiting.join(within)
    if future._exception:
        raise future._exception
    if not future._job:
        faulthandler.dump_traceback()
        raise TimeoutError(f"after {within} s the call is still {future._state}: {_why(future)}")
    return str(future._job.job_name)


def _await_answer(future: Any) -> None:
    with future._condition:
        future._condition.wait_for(lambda: future._job or future._exception)


def _why(future: Any) -> str:
    if future._condition.acquire(blocking=False):
        future._condition.release()
        return "no thread of the SDK sends it; the one that should has not begun, or has died"
    return "a thread of the SDK is sending it"


def _refusal(send: Send, program: str, session: Any) -> str:
    try:
        return f"accepted: {send(program, session)}"
    except ClientError as error:
        return str(error)
