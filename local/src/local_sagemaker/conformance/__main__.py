"""`python -m local_sagemaker.conformance`: compares the table with a real AWS account, at the cost of a few jobs."""

import sys
import time
from collections.abc import Iterable

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from local_sagemaker.conformance.account import Account, JobRefused, Target, Timing
from local_sagemaker.conformance.plan import Plan, make_plan
from local_sagemaker.conformance.questions import Question, ask
from local_sagemaker.conformance.replay import Findings, announcement, replay, results

_PRICE = 0.25  # US dollars for an hour of ml.m5.large: above every known region's price


@click.command()
@click.option("--region", required=True, help="AWS region; never taken from the environment.")
@click.option("--role", required=True, help="ARN of the execution role.")
@click.option("--bucket", required=True, help="Bucket for the jobs' empty results, removed at the end.")
@click.option("--image", required=True, help="Training image with /bin/sh that the role may pull.")
@click.option(
    "--hourly-price",
    type=click.FloatRange(min=0),
    default=_PRICE,
    show_default=True,
    help="Price of ml.m5.large, in dollars an hour.",
)
@click.option("--i-accept-costs", is_flag=True, help="Start the jobs. Without it, only print the cost limit.")
@click.option("--endpoint-url", help="URL of a local_sagemaker, instead of AWS.")
def main(
    region: str,
    role: str,
    bucket: str,
    image: str,
    hourly_price: float,
    i_accept_costs: bool,  # noqa: FBT001 - click passes options by name
    endpoint_url: str | None,
) -> None:
    """Replay the cheap rows of the conformance table on a real account, and print the differences."""
    timing = Timing()
    plan = make_plan(timing.training_seconds)
    _print(announcement(plan, hourly_price))
    if not i_accept_costs:
        raise click.UsageError("Nothing was started. Add --i-accept-costs to start.")
    target = Target(region, role, bucket, image, run=time.strftime("%Y%m%d%H%M%S", time.gmtime()))
    account = Account(target, boto3.Session(region_name=region), timing, endpoint_url)
    click.echo(f"Everything created on {account.endpoint_url} is named {target.prefix}-… and removed at the end.")
    sys.exit(1 if _run(account, plan) else 0)


def _run(account: Account, plan: Plan) -> bool:
    """Returns whether the account differs from the table, or jobs could not be removed."""
    findings = Findings()
    try:
        with account:
            _compare(account, plan, findings)
    except (JobRefused, BotoCoreError, ClientError) as error:
        raise click.ClickException(
            f"{error}\nCheck the account for training jobs named {account.target.prefix}-…"
        ) from error
    _print(f"NOT REMOVED  training job {name}" for name in account.jobs)
    return bool(findings.differences or account.jobs)


def _compare(account: Account, plan: Plan, findings: Findings) -> None:
    answers: dict[Question, str] = {}
    try:
        replay(plan, account, findings)
        answers |= ask(account)
    finally:  # prints the results even after an error, because they cost money
        _print(results(plan, findings, answers))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


if __name__ == "__main__":
    main()
