"""The lookup of the queue's address."""

from pathlib import Path

import boto3
import pytest
from botocore.stub import Stubber

from sagequeue.api.endpoint import checked_url, config_file, find_api_url
from sagequeue.errors import NotConfigured


class SessionWithStack(boto3.Session):
    """A session whose CloudFormation has one stack with these outputs."""

    def __init__(self, outputs: dict[str, str]) -> None:
        super().__init__(aws_access_key_id="x", aws_secret_access_key="x", region_name="eu-west-1")
        self._outputs = [{"OutputKey": key, "OutputValue": value} for key, value in outputs.items()]

    def client(self, *args, **kwargs):  # type: ignore[no-untyped-def]  # boto3's signature has hundreds of overloads
        client = super().client(*args, **kwargs)
        stack = {"StackName": "sagequeue", "CreationTime": "2026-01-01", "StackStatus": "CREATE_COMPLETE"}
        stubber = Stubber(client)
        stubber.add_response("describe_stacks", {"Stacks": [{**stack, "Outputs": self._outputs}]})
        stubber.activate()
        return client


class SessionWithoutStack(boto3.Session):
    """A session whose CloudFormation refuses to show a stack."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(aws_access_key_id="x", aws_secret_access_key="x", region_name="eu-west-1")
        self._refusal = code, message

    def client(self, *args, **kwargs):  # type: ignore[no-untyped-def]  # as above
        client = super().client(*args, **kwargs)
        stubber = Stubber(client)
        stubber.add_client_error("describe_stacks", *self._refusal)
        stubber.activate()
        return client


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("SAGEQUEUE_API_URL", "SAGEQUEUE_STACK", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def write_config(text: str) -> None:
    config_file().parent.mkdir()
    config_file().write_text(text)


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    write_config('api_url = "https://file.example"')
    monkeypatch.setenv("SAGEQUEUE_API_URL", "https://environment.example/prod/")
    assert find_api_url(SessionWithStack({})) == "https://environment.example/prod"


def test_the_config_file_comes_second() -> None:
    write_config('api_url = "https://file.example/prod"')
    assert find_api_url(SessionWithStack({"ApiUrl": "https://stack.example"})) == "https://file.example/prod"


def test_the_stacks_output_comes_last() -> None:
    assert find_api_url(SessionWithStack({"ApiUrl": "https://stack.example/prod"})) == "https://stack.example/prod"


def test_a_stack_of_something_else_is_named() -> None:
    with pytest.raises(NotConfigured, match="Stack 'sagequeue' has no output ApiUrl"):
        find_api_url(SessionWithStack({"Other": "x"}))


def test_a_region_without_the_stack_is_named() -> None:
    with pytest.raises(NotConfigured, match=r"stack 'sagequeue' in eu-west-1 cannot be read: it does not exist"):
        find_api_url(SessionWithoutStack("ValidationError", "Stack with id sagequeue does not exist"))


def test_a_caller_without_permission_to_read_the_stack_is_not_named() -> None:
    with pytest.raises(NotConfigured, match="eu-west-1 cannot be read: AccessDenied") as caught:
        find_api_url(SessionWithoutStack("AccessDenied", "User: arn:aws:iam::123456789012:user/anna is not authorized"))
    assert "anna" not in str(caught.value)


def test_without_a_region_the_remedy_names_every_setting(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("AWS_CONFIG_FILE", str(home / "none"))
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(NotConfigured, match=r"^No queue address is set") as caught:
        find_api_url(boto3.Session())
    assert all(word in caught.value.remedy for word in ("SAGEQUEUE_API_URL", str(config_file()), "SAGEQUEUE_STACK"))


@pytest.mark.parametrize("text", ["api_url = ", "other = 1", "api_url = 5"])
def test_a_config_file_without_an_address_is_named(text: str) -> None:
    write_config(text)
    with pytest.raises(NotConfigured, match=r"config\.toml"):
        find_api_url(SessionWithStack({}))


@pytest.mark.parametrize("url", ["queue.example", "ftp://queue.example", "https://", "http:///prod"])
def test_an_address_that_is_not_a_url_is_refused(url: str) -> None:
    with pytest.raises(NotConfigured, match="is not a URL"):
        checked_url(url)


@pytest.mark.parametrize(
    "url", ["http://queue.example/v1", "http://10.0.0.5:3000", "http://localhost.example", "HTTP://[2001:db8::1]/v1"]
)
def test_an_address_that_is_not_encrypted_is_refused_unless_it_is_this_machine(url: str) -> None:
    with pytest.raises(NotConfigured, match="must begin with https: only a queue on this machine may use http"):
        checked_url(url)


@pytest.mark.parametrize(
    "url", ["http://localhost:4566", "http://127.0.0.1:4566", "http://127.9.9.9", "http://[::1]:80", "https://10.0.0.5"]
)
def test_an_address_of_this_machine_needs_no_encryption(url: str) -> None:
    assert checked_url(url) == url
