"""QueueSession: the session of SageMaker SDK v2 whose training jobs are queued."""

from typing import Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.hooks.handlers import refuse_other_region
from sagequeue.hooks.installation import install, jumpstart_targets

try:
    from sagemaker.session import Session
    from sagemaker.session_settings import SessionSettings
except ImportError as error:
    raise ImportError("QueueSession needs version 2 of the SageMaker SDK: pip install 'sagequeue[v2]'") from error


class QueueSession(Session):  # type: ignore[misc]  # sagemaker ships no types
    """An ordinary `sagemaker.Session` whose training jobs wait in the queue for their instances.

    It takes no `sagemaker_client`: another client would bypass the queue. JumpStart's estimators without a session are
    queued, too: the queue is installed on the session that the SDK made for such estimators.
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
        refuse_other_region(queue, boto_session.region_name)
        for target in (boto_session, *jumpstart_targets()):
            install(target, queue)
        super().__init__(
            boto_session=boto_session,
            default_bucket=default_bucket,
            default_bucket_prefix=default_bucket_prefix,
            settings=settings,
            sagemaker_config=sagemaker_config,
        )
