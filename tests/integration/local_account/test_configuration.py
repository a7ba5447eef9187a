"""`sagequeue local up` applies configurations to the deployed queue."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from mypy_boto3_dynamodb import DynamoDBClient

from local_account import AccountError, LocalAccount
from local_account.cli import local
from local_account.configuration import DEFAULTS


@pytest.fixture
def dynamodb(account: LocalAccount) -> DynamoDBClient:
    return account.session().client("dynamodb", endpoint_url=account.settings.endpoint)


def test_a_queue_without_a_configuration_gets_the_defaults_of_the_local_account(
    account: LocalAccount, dynamodb: DynamoDBClient
) -> None:
    dynamodb.delete_item(TableName=_table(dynamodb), Key={"pk": {"S": "config"}})
    account.up()
    assert _applied(dynamodb) == DEFAULTS


def test_a_file_is_applied_once_and_stays_until_the_next(account: LocalAccount, dynamodb: DynamoDBClient) -> None:
    account.up(config="policy: {patience: 9s}\n")
    assert _applied(dynamodb) == "policy: {patience: 9s}\n"
    account.up()
    assert _applied(dynamodb) == "policy: {patience: 9s}\n"


def test_a_refused_file_fails_with_its_mistakes_and_leaves_the_account_running(
    account: LocalAccount, dynamodb: DynamoDBClient
) -> None:
    before = _applied(dynamodb)
    refusal = "the queue refused the configuration: line 1: wrong is not a kind of settings. Correct the file."
    with pytest.raises(AccountError, match=refusal):
        account.up(config="wrong")
    assert _applied(dynamodb) == before
    assert account.running()


def test_a_missing_file_is_refused_before_anything_starts(tmp_path: Path) -> None:
    refused = CliRunner().invoke(local, ["--home", str(tmp_path), "up", "--config", "no-such.yaml"])
    assert refused.exit_code == 2
    assert "no-such.yaml" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def _applied(dynamodb: DynamoDBClient) -> str:
    found = dynamodb.get_item(TableName=_table(dynamodb), Key={"pk": {"S": "config"}}, ConsistentRead=True)
    return found["Item"]["text"]["S"]


def _table(dynamodb: DynamoDBClient) -> str:
    (name,) = dynamodb.list_tables()["TableNames"]
    return name
