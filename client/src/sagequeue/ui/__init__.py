"""The page of `sagequeue ui`: a server for this machine alone, which calls the queue with its user's own credentials.

Nothing runs in the AWS account for it. The page itself is written in TypeScript (client/ui) and ships built.
"""

from sagequeue.ui.page import Page
from sagequeue.ui.server import PageServer

__all__ = ["Page", "PageServer"]
