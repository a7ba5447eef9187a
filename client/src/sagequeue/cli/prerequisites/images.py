"""Checks that a container image exists in its Amazon ECR repository."""

import re

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.cli.prerequisites.prerequisite import PATIENCE, Named, Prerequisite

_ECR = re.compile(
    r"(?P<account>[0-9]{12})\.dkr[.-]ecr(-fips)?\.(?P<region>[a-z0-9-]+)\.[a-z.-]+/"
    r"(?P<repository>[a-z0-9._/-]+)(:(?P<tag>[\w.-]+))?(@(?P<digest>sha256:[0-9a-f]{64}))?"
)
_ACTION = "ecr:DescribeImages"


def check_image(session: boto3.Session, image: Named) -> Prerequisite:
    """Checks an image with the caller's permissions. Images outside ECR's private registries are not checked."""
    place = _ECR.fullmatch(image.value)
    if place is None:
        return image.unchecked("the image is not in a private ECR registry")
    name = {"imageDigest": place["digest"]} if place["digest"] else {"imageTag": place["tag"] or "latest"}
    account, region, repository = place["account"], place["region"], place["repository"]
    ecr = session.client("ecr", region_name=region, config=PATIENCE)
    try:
        ecr.describe_images(registryId=account, repositoryName=repository, imageIds=[name])
    except ClientError as error:
        match error.response["Error"]["Code"]:
            case "RepositoryNotFoundException":
                problem = f"account {account} has no repository {repository} in {region}"
                return image.problem(problem, "Correct the image, or create the repository.")
            case "ImageNotFoundException":
                problem = f"repository {repository} has no image {place['digest'] or name['imageTag']}"
                return image.problem(problem, "Push the image, or correct its tag or digest.")
        return image.unanswered(error, _ACTION, f"repository {repository} of account {account}")
    except BotoCoreError as error:
        return image.unanswered(error, _ACTION, repository)
    return image.fulfilled()
