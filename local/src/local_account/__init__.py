"""Runs a local AWS account for SageQueue: ministack, `local_sagemaker`, and the queue's own template deployed on both.

Open `account.py` first: it starts and stops the account. `servers/` runs the two servers, `stack.py` builds and deploys
the template, and `cli.py` is `sagequeue local`. From Python:

    with LocalAccount(Settings(budget="ml.m5.large=2")) as account:
        os.environ.update(account.env())
"""

from local_account.account import LocalAccount
from local_account.errors import AccountError
from local_account.servers.server import free_port
from local_account.settings import Settings

__all__ = ["AccountError", "LocalAccount", "Settings", "free_port"]
