"""Resolves the permissions that template.yaml grants to each function, for one set of parameters."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from support.roles.required_permissions import Need, StackLocation

Values = Mapping[str, str]
_NOTHING = {"Ref": "AWS::NoValue"}
_EQUALS, _ANY = "StringEquals", "ForAnyValue:StringEquals"
_ONLY = ("ForAllValues:StringEquals", "ForAllValues:StringLike")

#: A condition's key, and a value in which * matches any text.
Asked = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Grant:
    function: str  # the folder of its handler
    action: str
    resource: str
    equals: tuple[Asked, ...]  # StringEquals: the call must have these …
    only: tuple[Asked, ...]  # … ForAllValues: and no other value of these keys
    any_of: tuple[Asked, ...]  # ForAnyValue: one of these
    denies: bool

    def covers(self, need: Need) -> bool:
        meets = set(self.equals) <= set(need.context)
        has_one = not self.any_of or bool(set(self.any_of) & set(need.context))
        fits = _pattern(self.resource).fullmatch(need.resource) is not None
        return self.action == need.action and meets and has_one and self._has_no_other(need) and fits

    def _has_no_other(self, need: Need) -> bool:
        keys = {key for key, _ in self.only}
        others = [(key, value) for key, value in need.context if key in keys]
        return all(
            any(key == allowed and _pattern(text).fullmatch(value) for allowed, text in self.only)
            for key, value in others
        )

    def __str__(self) -> str:
        return f"{self.function}: {self.action} on {self.resource.rpartition(':')[2]}"


class Roles:
    """Holds all grants. Resources have their logical names, unless `parameters` name them."""

    def __init__(self, template: Mapping[str, Any], parameters: Mapping[str, object], location: StackLocation) -> None:
        defaults = {name: parameter.get("Default", "") for name, parameter in template["Parameters"].items()}
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
        """Returns the first grant that covers the need, or None if there is none or it is denied."""
        known = (function, need)
        if known not in self._allowing:
            granted, denied = (_first(function, need, among) for among in (self.grants, self._denials))
            self._allowing[known] = None if denied else granted
        return self._allowing[known]

    def _grants(self) -> Iterator[Grant]:
        for function, statement in self._statements():
            conditions = statement.get("Condition", {})
            assert conditions.keys() <= {_EQUALS, _ANY, *_ONLY}, f"these conditions are not supported: {conditions}"
            equals, any_of, *only = (self._pairs(conditions.get(operator, {})) for operator in (_EQUALS, _ANY, *_ONLY))
            denies = {"Allow": False, "Deny": True}[statement["Effect"]]
            for action in _as_list(statement["Action"]):
                for resource in _as_list(self._resolved(statement["Resource"])):
                    yield Grant(function, str(action), resource, equals, sum(only, ()), any_of, denies)

    def _pairs(self, asked: Mapping[str, Any]) -> tuple[Asked, ...]:
        return tuple((key, str(text)) for key, value in asked.items() for text in _as_list(self._resolved(value)))

    def _statements(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        folders = {
            name: resource["Properties"]["Handler"].partition(".")[0]
            for name, resource in self._resources.items()
            if resource["Type"] == "AWS::Serverless::Function"
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
            chosen = self._chosen(statement)
            if chosen != _NOTHING:
                yield chosen

    def _chosen(self, value: Any) -> Any:
        match value:
            case {"Fn::If": [condition, yes, no]}:
                return self._chosen(yes if self._holds(condition) else no)
        return value

    def _holds(self, condition: Any) -> bool:
        match condition:
            case None:
                return True
            case str():
                return self._holds(self._conditions[condition])
            case {"Fn::Not": [inner]}:
                return not self._holds(inner)
            case {"Fn::Equals": [left, right]}:
                return bool(self._resolved(left) == self._resolved(right))
        raise ValueError(f"this condition is not supported: {condition}")

    def _resolved(self, value: Any) -> Any:
        match self._chosen(value):
            case [*several]:
                return [self._resolved(entry) for entry in several if self._chosen(entry) != _NOTHING]
            case {"Ref": name}:
                return self._reference(name)
            case {"Fn::GetAtt": [name, "Arn"]}:
                return self._arn(name)
            case {"Fn::Sub": text}:
                return re.sub(r"\$\{([\w:.]+)}", lambda found: self._substituted(found[1]), text)
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
