"""Tables about the operators' documents: effects of a change, findings, permissions, prices and spending limits."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.costs import Price, Prices
from sagequeue.contract.documents import ChangedVerdict, DryRun, Findings, Spending, SpendingUse, Verdict, WhoAmI
from sagequeue.tables.formats import local_time, table_of

_COLOURS = {"near": "yellow", "used_up": "red", "unknown": "red"}  # of a limit's state


def findings_view(found: Findings) -> RenderableType:
    """Returns training jobs started outside the queue that break a rule."""
    table = table_of("job", "created", "stopped", "why")
    for finding in found["findings"]:
        why = "\n".join(f"{broken['rule']}: {broken['message']}" for broken in finding["violations"])
        stopped = "yes" if finding["stopped"] else "no"
        table.add_row(finding["name"], local_time(finding["created_at"]), stopped, Text(why))
    return table if table.rows else Text("No jobs started outside the queue break a rule.")


def dry_run_lines(dry_run: DryRun) -> Iterator[str]:
    for job in dry_run["jobs"]:
        yield f"{job['name']} ({job['state']})"
        yield from _changes(job)
    yield _summary(dry_run)


def _summary(dry_run: DryRun) -> str:
    unchecked = "" if dry_run["complete"] else "; more jobs exist and were not checked"
    count = len(dry_run["jobs"])
    affected = (
        f"{count} of {dry_run['checked']} jobs affected" if count else f"No jobs affected, of {dry_run['checked']}"
    )
    return affected + unchecked


def _changes(job: ChangedVerdict) -> Iterator[str]:
    before, after = _texts(job["before"]), _texts(job["after"])
    yield from (f"  - {text}" for text in before if text not in after)
    yield from (f"  + {text}" for text in after if text not in before)


def _texts(verdict: Verdict) -> list[str]:
    violations = [f"violates {found['rule']}: {found['message']}" for found in verdict["violations"]]
    return violations + [f"warning of {found['rule']}: {found['message']}" for found in verdict["warnings"]]


def permission_lines(you: WhoAmI) -> Iterator[str]:
    ceiling = "any" if you["priority_ceiling"] is None else f"at most {you['priority_ceiling']}"
    types = "any of the budget" if you["instance_types"] is None else ", ".join(you["instance_types"])
    yield f"caller            {you['principal'] or you['arn']}"
    yield f"entry             {you['entry']}"
    yield f"may               {', '.join(you['verbs']) or 'nothing'}"
    yield f"teams             {', '.join(you['teams']) or 'none'}"
    yield f"execution roles   {', '.join(you['execution_roles'])}"
    yield f"instance types    {types}"
    yield f"priority          {ceiling}"


def prices_view(found: Prices) -> RenderableType:
    if not found["prices"]:
        return Text(f"No known prices in {found['region']}. Operators set them with `sagequeue prices apply`.")
    table = table_of("instance type", "$ an hour", "GPUs", "spot billed", "as of", "source")
    for kind, price in found["prices"].items():
        table.add_row(Text(kind, style="bold"), *_price_row(price))
    return Group(Text(f"in {found['region']}, per on-demand instance", style="dim"), table)


def _price_row(price: Price) -> tuple[str, ...]:
    dollars, share = price["dollars_per_hour"], price["spot_share"]
    return (
        "not known" if dollars is None else f"{dollars:.3f}",
        str(price["gpus"]),
        "" if share is None else f"{share:.0%}",
        price["as_of"] or "",
        price["source"] or "",
    )


def spending_view(found: Spending) -> RenderableType:
    if not found["readable"]:
        return Text("The spending limits cannot be read. No jobs start until an operator applies valid limits.")
    month = found["month"]
    if month is None:
        return Text("No spending limits are set.")
    until = f"{month['name']}, until {local_time(month['ends'])} ({month['time_zone']} months)"
    table = table_of("limit", "applies to", "used", "running", "limit is", "forecast", "state", "why")
    for use in found["uses"]:
        table.add_row(*_use_row(use))
    return Group(Text(until, style="dim"), table if table.rows else Text("Nothing spent this month."))


def _use_row(use: SpendingUse) -> tuple[RenderableType, ...]:
    return (
        Text(use["limit"], style="bold"),
        Text(f"{use['kind']} {use['scope']}"),
        _amount(use["used"], use),
        _amount(use["running"], use),
        _amount(use["most"], use),
        _amount(use["forecast"], use),
        Text(use["state"].replace("_", " "), style=_COLOURS.get(use["state"], "")),
        Text(use["reason"] or ""),
    )


def _amount(amount: float | None, use: SpendingUse) -> str:
    if amount is None:
        return "not known"
    return f"${amount:.2f}" if use["measure"] == "dollars" else f"{amount:.1f} GPU h"
