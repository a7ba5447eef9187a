"""Refuses requests that ask for more instances than the whole budget, or for types that it does not have."""

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, is_plan_line
from scheduler.core.requests.instance_preferences import FIELD as PREFERENCES
from scheduler.errors.refusals import BeyondBudget


def refuse_over_budget(demand: Demand, budget: Budget, *, prefers: bool = False) -> None:
    """Raises BeyondBudget for a demand that exceeds the whole budget, now and at any later time of the calendar.

    `prefers`: the demand comes from InstancePreferences, which the refusal names.
    """
    for line, count in demand.counts:
        if is_plan_line(line) and count > budget.limit[line]:
            raise BeyondBudget(
                f"The calendar never has more than {budget.limit[line]} × {line} from now on",
                field="ResourceConfig.TrainingPlanArn",
                remedy="Ask an operator for a calendar window with this plan, or remove TrainingPlanArn.",
            )
        if line not in budget.types:
            raise BeyondBudget(
                f"{line} is not in the queue's budget",
                field=PREFERENCES if prefers else "ResourceConfig.InstanceType",
                remedy=f"Use one of {', '.join(budget.types)}, or ask an operator to add it to InstanceBudget.",
            )
        if count > budget.limit[line]:
            raise BeyondBudget(
                f"{count} × {line} is more than the whole budget of {budget.limit[line]}",
                field=PREFERENCES if prefers else "ResourceConfig.InstanceCount",
                remedy=f"Request at most {budget.limit[line]}, or ask an operator for a larger InstanceBudget.",
            )
