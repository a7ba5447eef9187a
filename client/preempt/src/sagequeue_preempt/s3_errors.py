"""Names the errors of a call to S3. None of them ends a training: the library logs it, and the job continues."""

from __future__ import annotations

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

#: botocore raises the last three for answers that it cannot read, such as a proxy's page. They are no BotoCoreError.
S3_ERRORS = (BotoCoreError, ClientError, OSError, ResponseParserError, ValueError, KeyError)


def first_line(error: BaseException) -> str:
    """Returns what an error says without the answer that botocore appends, which is long and differs each time."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]
