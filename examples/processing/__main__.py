"""`python -m examples.processing`: a processor of SDK v2 waits in the queue, and counts the images of a data set.

It starts a local account and leaves nothing behind. Exit status 0 means that the processing job completed.
"""

import logging
import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from local_account import AccountError, LocalAccount, Settings, free_port
from sagequeue import QueueClient

JOB = "digit-counts"


def main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the account is stopped then, too
    settings = Settings(
        port=free_port(), sagemaker_port=free_port(), startup_seconds=1, budget="ml.m5.large@processing=1"
    )
    try:
        with TemporaryDirectory() as home, LocalAccount(settings, home=Path(home)) as account:
            os.environ.update(account.env())
            location, content = run()
    except AccountError as error:
        sys.exit(f"The example failed: {error}")
    print(f"{location}: {content}")


def run() -> tuple[str, str]:
    """Runs the processing job in the account of the environment. Returns the location and the content of its output."""
    # On import and for each request, the SageMaker SDK reports its successor and every default it uses.
    os.environ["SAGEMAKER_SUPPRESS_V2_WARNING"] = "1"
    logging.disable(logging.INFO)
    from examples.processing import job

    from sagequeue import QueueSession

    processor = job.submit(QueueSession(), JOB)
    print(f"{JOB} is {QueueClient().get(JOB)['state']}", flush=True)
    return job.result(processor)


if __name__ == "__main__":
    main()
