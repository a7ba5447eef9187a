"""SageMaker's SDK v2 on the queue: the one line that a training script changes."""

from typing import Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.hooks.installation import install
from sagequeue.hooks.targets import jumpstart_targets

try:
    from sagemaker.session import Session
    from sagemaker.session_settings import SessionSettings
except ImportError as error:
    raise ImportError("QueueSession needs version 2 of the SageMaker SDK: pip install 'sagequeue[v2]'") from error


class QueueSession(Session):  # type: ignore[misc]  # sagemaker ships no types
    """An ordinary `sagemaker.Session` whose training jobs wait in the queue for their instances.

    It takes no `sagemaker_client`: one that was made elsewhere would go round the queue. JumpStart's estimators that
    are given no session are led through the queue, too: the SDK has made one for them before.
    """

    def __init__(
        self,
        boto_session: boto3.Session | None = None,
        queue: QueueClient | None = None,
        default_bucket: str | None = None,
        default_bucket_prefix: str | None = None,
        settings: SessionSettings | None = None,
        sagemaker_config: dict[str, Any] | None = None,
    ) -> None:
        boto_session = boto_session or boto3.Session()
        queue = queue or QueueClient(session=boto_session)
        for target in (boto_session, *jumpstart_targets()):
            install(target, queue)
        super().__init__(
            boto_session=boto_session,
            default_bucket=default_bucket,
            default_bucket_prefix=default_bucket_prefix,
            settings=settings,
            sagemaker_config=sagemaker_config,
        )
