"""What the corpora of all SDKs share: every program runs straight and through the queue, and its jobs are told.

Prints a line of JSON for each: the job's name as it was sent straight and through the queue. For `PROGRAM:refused` it
is the queue's refusal.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError

#: Runs the program of that name on a session of the SDK's, and gives its job's name.
Send = Callable[[str, Any], str]


def tell(programs: list[str], send: Send, straight: Any, queued: Any) -> None:
    """The end of the process: threads of the SDK's executors would wait for the ends of their jobs."""
    for program in programs:
        name, _, refused = program.partition(":")
        if refused:
            told = {"refusal": _refusal(send, name, queued)}
        else:
            told = {"straight": send(name, straight), "queued": send(name, queued)}
        print("corpus " + json.dumps({"program": name, **told}))
    sys.stdout.flush()
    os._exit(0)


def name_of(future: Any) -> str:
    """The job's name, which another thread of the SDK makes. Raises what kept it from that."""
    with future._condition:
        future._condition.wait_for(lambda: future._job or future._exception)
    if future._exception:
        raise future._exception
    return str(future._job.job_name)


def _refusal(send: Send, program: str, session: Any) -> str:
    try:
        return f"accepted: {send(program, session)}"
    except ClientError as error:
        return str(error)
