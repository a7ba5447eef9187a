"""Answers the adapters' DynamoDB calls inside the process, from a simulated table.

The contract tests compare it with DynamoDB Local. Each call passes a gate, where a simulation injects faults.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

from botocore.exceptions import ClientError

from support.dynamodb.expressions import Item, Scope, WrongType, condition, update, updated
from support.dynamodb.sizes import problem_with_item, problem_with_key, problem_with_transaction
from support.dynamodb.sorted_records import Span
from support.dynamodb.table import Key, Table
from support.stack.environment import PRIMARY, indexes

_Result = TypeVar("_Result")


class Gate(Protocol):
    """Runs between a call and its effect.

    Receives the operation, the keys that it names, and the function that performs it.
    """

    def __call__(self, operation: str, keys: tuple[Key, ...], perform: Callable[[], _Result], /) -> _Result: ...


class ConditionalCheckFailed(ClientError):
    pass


class TransactionConflict(ClientError):
    pass


class TransactionCanceled(ClientError):
    pass


class ResourceNotFound(ClientError):
    pass


def open_gate(_operation: str, _keys: tuple[Key, ...], perform: Callable[[], _Result]) -> _Result:
    return perform()


@dataclass
class TableClient:
    table: Table
    gate: Gate = open_gate
    # A botocore client has these members, too:
    meta: Any = field(default_factory=lambda: SimpleNamespace(events=SimpleNamespace(register=lambda *_, **__: None)))
    exceptions: Any = field(
        default_factory=lambda: SimpleNamespace(
            ClientError=ClientError,
            ConditionalCheckFailedException=ConditionalCheckFailed,
            TransactionConflictException=TransactionConflict,
            TransactionCanceledException=TransactionCanceled,
            ResourceNotFoundException=ResourceNotFound,
        )
    )

    def create_table(self, **_: Any) -> None:
        """Does nothing: the table exists from the beginning."""

    def get_item(self, **call: Any) -> dict[str, Any]:
        key = _key(call["Key"])
        consistent = call.get("ConsistentRead", False)
        return self.gate("GetItem", (key,), lambda: _maybe("Item", self.table.get(key, consistent=consistent)))

    def put_item(self, **call: Any) -> dict[str, Any]:
        return self._write_one("PutItem", {"Put": call})

    def update_item(self, **call: Any) -> dict[str, Any]:
        return self._write_one("UpdateItem", {"Update": call})

    def delete_item(self, **call: Any) -> dict[str, Any]:
        return self._write_one("DeleteItem", {"Delete": call})

    def batch_get_item(self, **call: Any) -> dict[str, Any]:
        ((name, wanted),) = call["RequestItems"].items()
        keys = tuple(_key(key) for key in wanted["Keys"])

        def perform() -> dict[str, Any]:
            read = (self.table.get(key, consistent=wanted.get("ConsistentRead", False)) for key in keys)
            found = [item for item in read if item is not None]
            return {"Responses": {name: found}, "UnprocessedKeys": {}}

        return self.gate("BatchGetItem", keys, perform)

    def transact_write_items(self, **call: Any) -> dict[str, Any]:
        actions, token = call["TransactItems"], call.get("ClientRequestToken")
        keys = tuple(_target(action)[1] for action in actions)
        return self.gate("TransactWriteItems", keys, partial(self._transact, actions, token))

    def query(self, **call: Any) -> dict[str, Any]:
        return self.gate("Query", (), partial(self._page, call))

    def get_paginator(self, operation: str) -> Any:
        if operation != "query":
            raise ValueError(operation)
        return SimpleNamespace(paginate=self._pages)

    def _pages(self, **call: Any) -> Iterator[dict[str, Any]]:
        limit = call.pop("PaginationConfig", {}).get("PageSize")
        start: dict[str, Any] = {}
        while True:
            page = self.query(**call, **({"Limit": limit} if limit else {}), **start)
            yield page
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def _page(self, call: dict[str, Any]) -> dict[str, Any]:
        by = indexes()[call["IndexName"]] if "IndexName" in call else PRIMARY
        span = Span.of(call["KeyConditionExpression"], call["ExpressionAttributeValues"])
        backwards, consistent = not call.get("ScanIndexForward", True), call.get("ConsistentRead", False)
        found = self.table.in_order(by, span, backwards=backwards, consistent=consistent)
        if "ExclusiveStartKey" in call:
            next(item for item in found if _key(item) == _key(call["ExclusiveStartKey"]))
        page = list(islice(found, call.get("Limit")))
        rest = next(found, None)
        if "FilterExpression" in call:
            passes = condition(call["FilterExpression"])
            page = [item for item in page if passes(_scope(call, item))]
        if by.keys_only:
            page = [{name: item[name] for name in ("pk", "sk", by.partition, by.sort)} for item in page]
        last = {"LastEvaluatedKey": page[-1]} if rest else {}
        return {"Count": len(page), **({} if call.get("Select") == "COUNT" else {"Items": page}), **last}

    def _write_one(self, operation: str, action: dict[str, Any]) -> dict[str, Any]:
        call, key = _target(action)

        def perform() -> dict[str, Any]:
            _refuse_invalid(operation, _problem_before(action))
            old = self.table.items.get(key)
            if not _is_met(call, old):
                raise _refused(
                    ConditionalCheckFailed, operation, "ConditionalCheckFailedException", **_maybe("Item", old)
                )
            try:
                new = self._result(action)
            except WrongType as error:
                raise _refused(ClientError, operation, "ValidationException") from error
            _refuse_invalid(operation, _problem_after(action, new))
            self.table.write(key, new)
            wants = call.get("ReturnValues", "NONE")
            return _maybe("Attributes", {"ALL_NEW": new, "ALL_OLD": old}.get(wants))

        return self.gate(operation, (key,), perform)

    def _transact(self, actions: list[dict[str, Any]], token: str | None) -> dict[str, Any]:
        if self.table.is_done(token):
            return {}
        operation = "TransactWriteItems"
        for action in actions:
            _refuse_invalid(operation, _problem_before(action))
        outcomes = [self._outcome(action) for action in actions]
        _refuse_invalid(operation, problem_with_transaction(len(actions), [new for _, new in outcomes if new]))
        reasons = [reason for reason, _ in outcomes]
        if any(reason["Code"] != "None" for reason in reasons):
            code = "TransactionCanceledException"
            raise _refused(TransactionCanceled, operation, code, CancellationReasons=reasons)
        for action, (_, new) in zip(actions, outcomes, strict=True):
            if "ConditionCheck" not in action:
                self.table.write(_target(action)[1], new)
        self.table.note_done(token)
        return {}

    def _outcome(self, action: dict[str, Any]) -> tuple[dict[str, Any], Item | None]:
        """Returns the reason to cancel the transaction, and the item after the action if there is no reason."""
        call, key = _target(action)
        old = self.table.items.get(key)
        if not _is_met(call, old):
            wants_item = call.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
            return {"Code": "ConditionalCheckFailed", **(_maybe("Item", old) if wants_item else {})}, None
        try:
            new = self._result(action)
        except WrongType as error:
            return {"Code": "ValidationError", "Message": str(error)}, None
        problem = _problem_after(action, new)
        return ({"Code": "ValidationError", "Message": problem}, None) if problem else ({"Code": "None"}, new)

    def _result(self, action: dict[str, Any]) -> Item | None:
        """Returns the item after the action; None after a deletion, or if the action changes nothing."""
        call, key = _target(action)
        if "Put" in action:
            return dict(call["Item"])
        if "Update" in action:
            old = self.table.items.get(key) or call["Key"]
            return updated(update(call["UpdateExpression"]), _scope(call, old))
        return None


def _problem_before(action: dict[str, Any]) -> str | None:
    """Returns the problem with the request itself, regardless of the table's content."""
    call, key = _target(action)
    return problem_with_key(key) or (problem_with_item(call["Item"]) if "Put" in action else None)


def _problem_after(action: dict[str, Any], new: Item | None) -> str | None:
    """Returns the problem with the item that an update would make."""
    return problem_with_item(new, is_update=True) if "Update" in action and new is not None else None


def _refuse_invalid(operation: str, problem: str | None) -> None:
    if problem:
        raise _refused(ClientError, operation, "ValidationException", message=problem)


def _target(action: dict[str, Any]) -> tuple[dict[str, Any], Key]:
    ((kind, call),) = action.items()
    return call, _key(call["Item"] if kind == "Put" else call["Key"])


def _is_met(call: dict[str, Any], item: Item | None) -> bool:
    return "ConditionExpression" not in call or condition(call["ConditionExpression"])(_scope(call, item))


def _scope(call: dict[str, Any], item: Item | None) -> Scope:
    return Scope(item, call.get("ExpressionAttributeNames", {}), call.get("ExpressionAttributeValues", {}))


def _key(item: Item) -> Key:
    return item["pk"]["S"], item["sk"]["S"]


def _maybe(name: str, value: object) -> dict[str, Any]:
    return {} if value is None else {name: value}


def _refused(kind: type[ClientError], operation: str, code: str, *, message: str = "", **details: Any) -> ClientError:
    answer: Any = {"Error": {"Code": code, "Message": message or code}, **details}
    return kind(answer, operation)
