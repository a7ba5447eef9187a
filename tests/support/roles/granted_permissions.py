"""Resolves the permissions that template.yaml grants to each function, for one set of parameters."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from support.roles.required_permissions import Need, StackLocation

Values = Mapping[str, str]
_NOTHING = {"Ref": "AWS::NoValue"}
#: Any name that CloudFormation generates for a resource. It stands for the logical name.
_NAMED_BY_CLOUDFORMATION = re.compile(r"\$\{AWS::StackName}-(\w+)-\*")
#: Whether a condition operator requires some or all of a call's values for a key to be among the policy's values. A
#: call without the key meets the conditions that require all.
_OPERATORS: Mapping[str, Callable[[Iterable[bool]], bool]] = {
    "StringEquals": any,
    "StringLike": any,
    "StringEqualsIfExists": all,
    "ForAnyValue:StringEquals": any,
    "ForAllValues:StringEquals": all,
    "ForAllValues:StringLike": all,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """Compares a call's values for a condition key with those in the policy, where * matches any text."""

    operator: str
    key: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        assert self.operator in _OPERATORS, f"this operator is not supported: {self.operator}"
        assert "Like" in self.operator or not any("*" in value for value in self.values)

    def holds(self, need: Need) -> bool:
        given = (value for key, value in need.context if key == self.key)
        return _OPERATORS[self.operator](
            any(_pattern(text).fullmatch(value) for text in self.values) for value in given
        )


@dataclass(frozen=True, slots=True, eq=False)
class Grant:
    function: str  # the folder of its handler
    action: str
    resource: str
    conditions: tuple[Condition, ...]
    denies: bool

    def covers(self, need: Need) -> bool:
        return (
            self.action == need.action
            and _pattern(self.resource).fullmatch(need.resource) is not None
            and all(condition.holds(need) for condition in self.conditions)
        )

    def __str__(self) -> str:
        return f"{self.function}: {self.action} on {self.resource.rpartition(':')[2]}"


class Roles:
    """Holds all grants. Resources have their logical names, unless `parameters` name them."""

    def __init__(self, template: Mapping[str, Any], parameters: Mapping[str, object], location: StackLocation) -> None:
        defaults = {
            name: parameter["Default"] for name, parameter in template["Parameters"].items() if "Default" in parameter
        }
        pseudo = {"AWS::Partition": "aws", "AWS::Region": location.region, "AWS::AccountId": location.account}
        self._values = {name: str(value) for name, value in {**defaults, **pseudo, **parameters}.items()}
        self._resources = template["Resources"]
        self._conditions = template["Conditions"]
        self._location = location
        statements = (*self._grants(),)
        self.grants = tuple(grant for grant in statements if not grant.denies)
        self._denials = tuple(grant for grant in statements if grant.denies)
        self._allowing: dict[tuple[str, Need], Grant | None] = {}

    def grant_for(self, function: str, need: Need) -> Grant | None:
        """Returns the first grant of the required permission; None if there is none, or the permission is denied."""
        known = (function, need)
        if known not in self._allowing:
            granted, denied = (_first(function, need, among) for among in (self.grants, self._denials))
            self._allowing[known] = None if denied else granted
        return self._allowing[known]

    def _grants(self) -> Iterator[Grant]:
        for function, statement in self._statements():
            conditions = (*self._conditions_of(statement),)
            denies = {"Allow": False, "Deny": True}[statement["Effect"]]
            for action in _as_list(statement["Action"]):
                for resource in _as_list(self._resolved(statement["Resource"])):
                    yield Grant(function, str(action), resource, conditions, denies)

    def _conditions_of(self, statement: Mapping[str, Any]) -> Iterator[Condition]:
        for operator, asked in statement.get("Condition", {}).items():
            for key, values in asked.items():
                yield Condition(str(operator), str(key), tuple(map(str, _as_list(self._resolved(values)))))

    def _statements(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        folders = {
            name: resource["Properties"]["Handler"].partition(".")[0]
            for name, resource in self._resources.items()
            if resource["Type"] == "AWS::Serverless::Function" and self._holds(resource.get("Condition"))
        }
        for name, folder in folders.items():
            for policy in self._resources[name]["Properties"].get("Policies", ()):
                yield from ((folder, statement) for statement in self._kept(policy["Statement"]))
        for policy in self._resources.values():
            if policy["Type"] == "AWS::IAM::Policy" and self._holds(policy.get("Condition")):
                for role in policy["Properties"]["Roles"]:
                    folder = folders[role["Ref"].removesuffix("Role")]
                    statements = self._kept(policy["Properties"]["PolicyDocument"]["Statement"])
                    yield from ((folder, statement) for statement in statements)

    def _kept(self, statements: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
        for statement in statements:
            chosen = self.chosen(statement)
            if chosen != _NOTHING:
                yield chosen

    def chosen(self, value: Any) -> Any:
        """Returns what the template's conditions leave of a value."""
        match value:
            case {"Fn::If": [condition, yes, no]}:
                return self.chosen(yes if self._holds(condition) else no)
        return value

    def _holds(self, condition: Any) -> bool:
        match condition:
            case None:
                return True
            case str() | {"Condition": _}:
                named = condition if isinstance(condition, str) else condition["Condition"]
                return self._holds(self._conditions[named])
            case {"Fn::And": several}:
                return all(map(self._holds, several))
            case {"Fn::Not": [inner]}:
                return not self._holds(inner)
            case {"Fn::Equals": [left, right]}:
                return bool(self._resolved(left) == self._resolved(right))
        raise ValueError(f"this condition is not supported: {condition}")

    def _resolved(self, value: Any) -> Any:
        match self.chosen(value):
            case [*several]:
                return [self._resolved(entry) for entry in several if self.chosen(entry) != _NOTHING]
            case {"Ref": name}:
                return self._reference(name)
            case {"Fn::GetAtt": [name, "Arn"]}:
                return self._arn(name)
            case {"Fn::Select": [index, {"Fn::Split": [separator, text]}]}:
                return self._resolved(text).split(separator)[int(index)]
            case {"Fn::Sub": [text, names]}:
                for name, named in names.items():
                    text = text.replace(f"${{{name}}}", self._resolved(named))
                return self._resolved({"Fn::Sub": text})
            case {"Fn::Sub": text}:
                named = _NAMED_BY_CLOUDFORMATION.sub(r"\1", text)
                return re.sub(r"\$\{([\w:.]+)}", lambda found: self._substituted(found[1]), named)
            case str(text):
                return str(text)
        raise ValueError(f"this value is not supported: {value}")

    def _reference(self, name: str) -> str:
        is_topic = self._resources.get(name, {}).get("Type") == "AWS::SNS::Topic"
        return self._location.arn("sns", name) if is_topic else self._values.get(name, name)

    def _substituted(self, name: str) -> str:
        logical, _, attribute = name.partition(".")
        return self._arn(logical) if attribute == "Arn" else self._values.get(name, name)

    def _arn(self, name: str) -> str:
        physical = self._values.get(name, name)
        return {
            "AWS::DynamoDB::Table": self._location.arn("dynamodb", f"table/{physical}"),
            "AWS::S3::Bucket": f"arn:aws:s3:::{physical}",
            "AWS::SQS::Queue": self._location.arn("sqs", physical),
        }[self._resources[name]["Type"]]


def _first(function: str, need: Need, among: Iterable[Grant]) -> Grant | None:
    return next((grant for grant in among if grant.function == function and grant.covers(need)), None)


@cache
def _pattern(resource: str) -> re.Pattern[str]:
    return re.compile(".*".join(".".join(map(re.escape, part.split("?"))) for part in resource.split("*")))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
