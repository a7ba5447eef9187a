"""Builds the services for operators: the editor of the configuration, its plans, and the queue's controls."""

from functools import cache

from scheduler.adapters.aws import stack_status
from scheduler.config.change_plan import ChangePlans
from scheduler.config.deployment import Deployments
from scheduler.config.editor import ConfigEditor
from scheduler.queue.budget_and_intake import BudgetAndIntake
from scheduler.queue.past_budgets import PastBudgets
from scheduler.wiring import shared


@cache
def editor() -> ConfigEditor:
    return ConfigEditor(shared.configuration_reader(), shared.clock())


@cache
def change_plans() -> ChangePlans:
    jobs, mark = shared.job_stores().jobs, shared.settings().name_mark
    return ChangePlans(shared.snapshot_reader(), jobs, shared.admission(), mark)


def deployments(stack: str) -> Deployments:
    return Deployments(editor(), stack)


@cache
def past_budgets() -> PastBudgets:
    return PastBudgets(shared.control_store(), shared.configuration_reader(), shared.clock())


@cache
def budget_and_intake() -> BudgetAndIntake:
    return BudgetAndIntake(shared.control_store(), shared.configuration_reader(), shared.clock())


def is_rolled_back(stack_id: str) -> bool:
    """Returns whether CloudFormation is rolling back an update to the stack."""
    return stack_status.is_rolled_back(shared.client("cloudformation", config=shared.PATIENT), stack_id)
