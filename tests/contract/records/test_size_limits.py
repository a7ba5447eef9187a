"""The simulated table refuses what is too large with DynamoDB's codes: it is compared with DynamoDB Local."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import pytest
from botocore.exceptions import ClientError

from support.dynamodb.client import TableClient
from support.dynamodb.sizes import LARGEST_ITEM, size_of
from support.dynamodb.stores import table_definition
from support.dynamodb.table import Table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from support.dynamodb.expressions import Item

VALUES: tuple[dict[str, Any], ...] = (
    {"S": "é😀"},
    {"N": "-123.45"},
    {"N": "1000000"},
    {"B": b"123"},
    {"L": [{"N": "12"}, {"S": "é"}, {"NULL": True}]},
    {"M": {"ab": {"BOOL": True}, "l": {"L": []}}},
)


@pytest.fixture(params=["simulated", "dynamodb_local"])
def client(request: pytest.FixtureRequest, table_name: str) -> Iterator[DynamoDBClient]:
    if request.param == "simulated":
        yield cast("DynamoDBClient", TableClient(Table()))
    else:
        local: DynamoDBClient = request.getfixturevalue("dynamodb")
        local.create_table(TableName=table_name, **table_definition())
        yield local


def test_the_size_of_an_item_counts_its_bytes_as_dynamodb_does(client: DynamoDBClient, table_name: str) -> None:
    for number, value in enumerate(VALUES):
        item = an_item(f"item-{number}", {"value": value})
        client.put_item(TableName=table_name, Item=filled(item, LARGEST_ITEM))
        refused(client.put_item, "Item size has exceeded", TableName=table_name, Item=filled(item, LARGEST_ITEM + 1))


def test_an_update_that_makes_an_item_too_large_changes_nothing(client: DynamoDBClient, table_name: str) -> None:
    client.put_item(TableName=table_name, Item=an_item("small", {"content": {"S": "before"}}))
    grown = {
        "Key": an_item("small"),
        "UpdateExpression": "SET content = :content",
        "ExpressionAttributeValues": a_large_text(),
    }
    refused(client.update_item, "Item size to update has exceeded", TableName=table_name, **grown)
    assert client.get_item(TableName=table_name, Key=an_item("small"))["Item"]["content"] == {"S": "before"}


def test_a_transaction_refuses_an_item_that_is_too_large_before_its_conditions(
    client: DynamoDBClient, table_name: str
) -> None:
    put = {"TableName": table_name, "Item": filled(an_item("large"), LARGEST_ITEM + 1)}
    unmet = {"TableName": table_name, "Item": an_item("other"), "ConditionExpression": "attribute_exists(pk)"}
    actions = [{"Put": unmet}, {"Put": put}]
    error = refused(client.transact_write_items, "Item size has exceeded", TransactItems=actions)
    assert "CancellationReasons" not in error.response


def test_a_transaction_is_cancelled_by_an_update_that_makes_an_item_too_large(
    client: DynamoDBClient, table_name: str
) -> None:
    key, values = an_item("large"), a_large_text()
    update = {
        "UpdateExpression": "SET content = :content",
        "ExpressionAttributeValues": values,
        "TableName": table_name,
    }
    actions = [{"Put": {"TableName": table_name, "Item": an_item("other")}}, {"Update": update | {"Key": key}}]
    with pytest.raises(client.exceptions.TransactionCanceledException) as raised:
        client.transact_write_items(TransactItems=actions)  # type: ignore[arg-type] # built above
    reasons = raised.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ValidationError"]
    assert "Item size to update has exceeded the maximum allowed size" in reasons[1]["Message"]
    assert "Item" not in client.get_item(TableName=table_name, Key=an_item("other"))


def test_a_transaction_holds_a_hundred_actions_and_four_megabytes() -> None:
    """On the simulated table only: DynamoDB Local refuses more than ten actions."""
    simulated = cast("DynamoDBClient", TableClient(Table()))
    small = [{"Put": {"TableName": "queue", "Item": an_item(f"small-{number}")}} for number in range(101)]
    simulated.transact_write_items(TransactItems=small[:100])  # type: ignore[arg-type] # built above
    refused(simulated.transact_write_items, "less than or equal to 100", TransactItems=small)
    items = [filled(an_item(f"large-{number}"), LARGEST_ITEM) for number in range(11)]
    large = [{"Put": {"TableName": "queue", "Item": item}} for item in items]
    simulated.transact_write_items(TransactItems=large[:10])  # type: ignore[arg-type] # built above
    refused(simulated.transact_write_items, "4MB", TransactItems=large)


@pytest.mark.parametrize(("partition", "sort"), [(2049, 1), (1, 1025)])
def test_keys_have_a_longest_length(client: DynamoDBClient, table_name: str, partition: int, sort: int) -> None:
    longest = {"pk": {"S": "p" * min(partition, 2048)}, "sk": {"S": "s" * min(sort, 1024)}}
    client.put_item(TableName=table_name, Item=longest)
    too_long = {"pk": {"S": "p" * partition}, "sk": {"S": "s" * sort}}
    refused(client.put_item, ".", TableName=table_name, Item=too_long)


def refused(call: Any, message: str, **parameters: Any) -> ClientError:
    with pytest.raises(ClientError, match=message) as raised:
        call(**parameters)
    assert raised.value.response["Error"]["Code"] == "ValidationException"
    return raised.value


def an_item(name: str, attributes: Item | None = None) -> Item:
    return {"pk": {"S": name}, "sk": {"S": "JOB"}} | (attributes or {})


def filled(item: Item, size: int) -> Item:
    """Returns the item with a text that makes it so large."""
    return item | {"content": {"S": "x" * (size - size_of(item) - len("content"))}}


def a_large_text() -> Item:
    return {":content": {"S": "x" * LARGEST_ITEM}}
