"""`python -m local_sagemaker.conformance`: holds the table against a real account, for a person who pays for it."""

import sys
import time
from collections.abc import Iterable

import boto3
import click
from botocore.exceptions import BotoCoreError, ClientError

from local_sagemaker.conformance.account import Account, JobRefused, Pace
from local_sagemaker.conformance.plan import Plan, make_plan
from local_sagemaker.conformance.questions import ask
from local_sagemaker.conformance.replay import Findings, replay
from local_sagemaker.conformance.report import announcement, results
from local_sagemaker.conformance.target import Place

_PRICE = 0.25  # US dollars for an hour of ml.m5.large: more than we know any region to ask


@click.command()
@click.option("--region", required=True, help="Always said, never taken from the environment.")
@click.option("--role", required=True, help="The ARN of the execution role.")
@click.option("--bucket", required=True, help="Takes the jobs' (empty) results; they are removed again.")
@click.option("--image", required=True, help="Any training image with /bin/sh that the role may pull.")
@click.option("--hourly-price", type=click.FloatRange(min=0), default=_PRICE, show_default=True, help="In dollars.")
@click.option("--i-accept-costs", is_flag=True, help="Without it, nothing is done but to say what it may cost.")
@click.option("--endpoint-url", help="SageMaker's, if it is not AWS: that of a local_sagemaker.")
def main(
    region: str,
    role: str,
    bucket: str,
    image: str,
    hourly_price: float,
    i_accept_costs: bool,  # noqa: FBT001 - click passes options by name
    endpoint_url: str | None,
) -> None:
    """Replay the cheap rows of the conformance table on a real account, and print where it answers differently."""
    pace = Pace()
    plan = make_plan(pace.training_seconds)
    _say(announcement(plan, hourly_price))
    if not i_accept_costs:
        raise click.UsageError("Nothing was done. Say --i-accept-costs to start.")
    place = Place(region, role, bucket, image, run=time.strftime("%Y%m%d%H%M%S", time.gmtime()))
    account = Account(place, boto3.Session(region_name=region), pace, endpoint_url)
    click.echo(f"All that it makes on {account.endpoint_url} is called {place.prefix}-… and removed at the end.")
    sys.exit(1 if _try(account, plan) else 0)


def _try(account: Account, plan: Plan) -> bool:
    """Whether there is anything to look at."""
    findings = Findings()
    try:
        with account:
            _hold_table_against(account, plan, findings)
    except (JobRefused, BotoCoreError, ClientError) as error:
        raise click.ClickException(f"{error}\nLook for training jobs called {account.place.prefix}-…") from error
    _say(f"STILL THERE  the training job {name}" for name in account.jobs)
    return bool(findings.differences or account.jobs)


def _hold_table_against(account: Account, plan: Plan, findings: Findings) -> None:
    answers: dict[str, str] = {}
    try:
        replay(plan, account, findings)
        answers |= ask(account)
    finally:  # what has been paid for is told, whatever came after
        _say(results(plan, findings, answers))


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


if __name__ == "__main__":
    main()
