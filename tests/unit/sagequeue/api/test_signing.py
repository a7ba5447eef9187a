"""Signatures for API Gateway."""

import boto3
import pytest
import requests

from sagequeue.api.transport import ExecuteApiAuth
from sagequeue.errors import NotConfigured


def signed(url: str, session: boto3.Session) -> dict[str, str]:
    request = requests.Request("GET", url, auth=ExecuteApiAuth(session, url)).prepare()
    return dict(request.headers)


def a_session(region: str | None = "us-east-1", token: str | None = None) -> boto3.Session:
    return boto3.Session("AKIAEXAMPLE", "secret", token, region_name=region)


@pytest.mark.parametrize(
    ("url", "region"),
    [
        ("https://abc.execute-api.eu-central-1.amazonaws.com/prod", "eu-central-1"),
        ("https://vpce-1-abc.execute-api.cn-north-1.amazonaws.com.cn/prod", "cn-north-1"),
        ("https://queue.example/prod", "us-east-1"),
    ],
)
def test_the_region_in_the_address_is_the_one_to_sign_for(url: str, region: str) -> None:
    assert f"/{region}/execute-api/aws4_request" in signed(url, a_session())["Authorization"]


def test_temporary_credentials_send_their_token() -> None:
    headers = signed("https://queue.example/jobs", a_session(token="temporary"))
    assert headers["X-Amz-Security-Token"] == "temporary"
    assert "x-amz-security-token" in headers["Authorization"]


def test_without_any_region_the_remedy_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(NotConfigured, match="AWS_DEFAULT_REGION"):
        ExecuteApiAuth(a_session(region=None), "https://queue.example")
