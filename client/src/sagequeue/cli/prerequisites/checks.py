"""Runs the checks of a request, the most common mistakes first."""

from collections.abc import Iterator, Sequence

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.client import QueueClient
from sagequeue.cli.prerequisites.images import check_image
from sagequeue.cli.prerequisites.locations import check_bucket, check_input
from sagequeue.cli.prerequisites.members import IMAGES, INPUTS, OUTPUTS, ROLES, members_at
from sagequeue.cli.prerequisites.prerequisite import PATIENCE, Named, Prerequisite
from sagequeue.cli.prerequisites.quotas import check_quotas
from sagequeue.cli.prerequisites.roles import check_role
from sagequeue.contract.jobs import Choice, JobOptions, TrainingRequest

_MANIFESTS = frozenset({"ManifestFile", "AugmentedManifestFile"})


def prerequisites(
    queue: QueueClient, request: TrainingRequest, options: JobOptions, choices: Sequence[Choice]
) -> Iterator[Prerequisite]:
    """Yields the outcome for each image, S3 location, role and quota that the job needs.

    `choices` are the ways in which the queue may run the job.
    """
    session = queue.session
    region = queue.region
    for member, image in members_at(request, IMAGES):
        yield check_image(session, Named(member, image))
    for member, source in members_at(request, INPUTS):
        is_prefix = source.get("S3DataType") not in _MANIFESTS
        yield check_input(session, Named(f"{member}.S3Uri", source["S3Uri"]), is_prefix=is_prefix)
    for member, uri in members_at(request, OUTPUTS):
        yield check_bucket(session, Named(member, uri))
    account = _account(session, region)
    for member, arn in members_at(request, ROLES):
        yield check_role(session, Named(member, arn), account)
    yield from check_quotas(session, region, request, options, choices)


def _account(session: boto3.Session, region: str | None) -> str:
    """Returns the account of the caller's credentials, or nothing if it cannot be read."""
    try:
        return session.client("sts", region_name=region, config=PATIENCE).get_caller_identity()["Account"]
    except (ClientError, BotoCoreError):
        return ""
