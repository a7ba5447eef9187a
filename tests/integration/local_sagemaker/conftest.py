from collections.abc import Iterator
from pathlib import Path

import pytest
from moto import mock_aws

from integration.local_sagemaker.endpoint import BUCKET, Endpoint


@pytest.fixture
def aws() -> Iterator[None]:
    """Emulates AWS with moto, except the emulator's endpoint."""
    with mock_aws(config={"core": {"passthrough": {"urls": [r"http://127\.0\.0\.1:.*"]}}}):
        yield


@pytest.fixture
def endpoint(aws: None, tmp_path: Path) -> Iterator[Endpoint]:
    endpoint = Endpoint(tmp_path)
    endpoint.s3.create_bucket(Bucket=BUCKET)
    endpoint.start()
    yield endpoint
    endpoint.stop()
