"""Texts about the configuration: its YAML, its differences, the effects of plans, versions, and permissions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any

import yaml
from rich.console import RenderableType
from rich.text import Text

from sagequeue.contract.config import ChangedVerdict, ConfigPlan, ConfigVersion, Decision, DryRun, Verdict, WhoAmI
from sagequeue.tables.formats import local_time, table_of
from sagequeue.tables.queue import periods_view

_COLOURS = (("---", "bold"), ("+++", "bold"), ("@@", "cyan"), ("-", "red"), ("+", "green"))
_OLD_LINE_BREAKS = re.compile("[\x85\u2028\u2029]")
_WIDE = 1_000_000  # no text is folded


class _Dumper(yaml.SafeDumper):
    """Writes plain YAML. The queue reads YAML 1.2, so texts that YAML 1.2 reads as numbers are quoted, too."""

    def represent_str(self, data: str) -> yaml.ScalarNode:
        # Double quotes escape the line breaks that only YAML 1.1 recognises.
        style = '"' if _OLD_LINE_BREAKS.search(data) else None
        return self.represent_scalar("tag:yaml.org,2002:str", data, style)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML passes it
        return True


_Dumper.add_representer(str, _Dumper.represent_str)
_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"(-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?|[-+]?Infinity|NaN)\Z"),
    list("-+0123456789IN"),
)


def yaml_text(content: object) -> str:
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDE)


def difference(before: Mapping[str, Any], after: Mapping[str, Any], names: tuple[str, str]) -> Iterator[Text]:
    """Yields the unified difference of each section that differs, as YAML."""
    for kind in {**before, **after}:
        old, new = (yaml_text({kind: sections.get(kind)}).splitlines() for sections in (before, after))
        first, second = (f"{kind}, {name}" for name in names)
        yield from map(_coloured, unified_diff(old, new, first, second, lineterm=""))


def _coloured(line: str) -> Text:
    return Text(line, next((colour for start, colour in _COLOURS if line.startswith(start)), ""))


def plan_lines(plan: ConfigPlan, you: WhoAmI, file: str) -> Iterator[RenderableType]:
    """Yields the changes in a file, and their effects. `you` has the caller's current permissions."""
    if not plan["changed"]:
        yield Text(f"Nothing to change: version {plan['version']} is current.")
        yield from _warnings(plan)
        return
    yield from difference(plan["before"], plan["after"], (f"version {plan['version']}", file))
    yield Text()
    yield from _warnings(plan)
    yield from map(Text, _dry_run_lines(plan))
    yield from _next_cycle_lines(plan["next_cycle"]["before"], plan["next_cycle"]["after"])
    if "calendar" in plan["changed"]:
        yield from (Text("Planned budgets:"), periods_view(plan["periods"]))
    if plan["you"] != you:
        yield from (Text("Your planned permissions:"), *map(Text, permission_lines(plan["you"])))


def _warnings(plan: ConfigPlan) -> Iterator[Text]:
    yield from (Text(f"Warning: {warning}", "yellow") for warning in plan["warnings"])


def _dry_run_lines(dry_run: DryRun) -> Iterator[str]:
    for job in dry_run["jobs"]:
        yield f"{job['name']} ({job['state']})"
        yield from _changes(job)
    if dry_run["left_out"]:
        yield f"… and {dry_run['left_out']} more"
    unchecked = "" if dry_run["complete"] else "; more jobs exist and were not checked"
    count = len(dry_run["jobs"]) + dry_run["left_out"]
    affected = (
        f"{count} of {dry_run['checked']} jobs affected"
        if count
        else f"No jobs affected ({dry_run['checked']} checked)"
    )
    yield affected + unchecked


def _changes(job: ChangedVerdict) -> Iterator[str]:
    before, after = _texts(job["before"]), _texts(job["after"])
    yield from (f"  - {text}" for text in before if text not in after)
    yield from (f"  + {text}" for text in after if text not in before)


def _texts(verdict: Verdict) -> list[str]:
    violations = [f"breaks {found['rule']}: {found['message']}" for found in verdict["violations"]]
    return violations + [f"warning from {found['rule']}: {found['message']}" for found in verdict["warnings"]]


def _next_cycle_lines(before: Sequence[Decision], after: Sequence[Decision]) -> Iterator[Text]:
    """Yields the decisions that only one of the configurations leads to. A different reason alone does not count."""
    old, new = ({_deed(decision) for decision in decisions} for decisions in (before, after))
    if old == new:
        yield Text("The decisions of the next cycle stay the same.")
        return
    yield Text("Decisions of the next cycle that change:")
    yield from (_coloured_below("-", decision) for decision in before if _deed(decision) not in new)
    yield from (_coloured_below("+", decision) for decision in after if _deed(decision) not in old)


def _deed(decision: Decision) -> str:
    place = f" on {decision['instance_type']}" if decision["instance_type"] else ""
    pool = "the warm pool of " if decision["decision"] == "release" else ""
    return f"{decision['decision']} {pool}{decision['job']}{place}"


def _coloured_below(sign: str, decision: Decision) -> Text:
    reason = f": {decision['reason']}" if decision["reason"] else ""
    return Text("  ").append_text(_coloured(f"{sign} {_deed(decision)}{reason}"))


def permission_lines(you: WhoAmI) -> Iterator[str]:
    ceiling = "any" if you["priority_ceiling"] is None else f"at most {you['priority_ceiling']}"
    types = "any of the budget" if you["instance_types"] is None else ", ".join(you["instance_types"])
    yield f"caller            {you['principal'] or you['arn']}"
    yield f"entry             {you['entry']}"
    yield f"may               {', '.join(you['verbs']) or 'nothing'}"
    yield f"teams             {', '.join(you['teams']) or 'none'}"
    yield f"execution roles   {', '.join(you['execution_roles']) or 'none'}"
    yield f"instance types    {types}"
    yield f"priority          {ceiling}"


def versions_view(versions: Iterable[ConfigVersion]) -> RenderableType:
    table = table_of("version", "applied", "by", "changed", "comment")
    for version in versions:
        applied = local_time(version["applied_at"]) if version["applied_at"] else ""
        changed = Text(", ".join(version["changed"]))
        table.add_row(
            str(version["version"]), applied, Text(version["author"] or ""), changed, Text(version["comment"])
        )
    return table if table.rows else Text("No configuration has been applied: the defaults apply.")
