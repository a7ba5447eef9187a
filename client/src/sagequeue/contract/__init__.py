"""The JSON that the queue's REST API speaks (docs/api.md), as types.

The names are those of docs/openapi.json. The client hands these on as they came: what `--json` prints is what the API
answered.
"""

from sagequeue.contract.calendar import Calendar, CalendarTrial, Period
from sagequeue.contract.callers import Callers, CallerTrial, WhoAmI
from sagequeue.contract.costs import AttemptCost, CostRange, JobCost
from sagequeue.contract.documents import Document, Problem
from sagequeue.contract.explanations import Explanation, Forecast, Misfit, PriorityParts, Starts
from sagequeue.contract.jobs import (
    Action,
    Attempt,
    BudgetLine,
    Cancellations,
    Choice,
    Job,
    JobFilter,
    Listing,
    Options,
    Reason,
    RefusedCancellation,
)
from sagequeue.contract.pools import Pool, PoolRules, Pools, RefusedPool
from sagequeue.contract.prices import Price, Prices
from sagequeue.contract.queue import Budget, FreeLine, Intake, Queue, Shortage, TeamLine
from sagequeue.contract.rules import ChangedVerdict, Finding, Findings, Rules, Trial, Verdict, Violation
from sagequeue.contract.spending import Spending, SpendingMonth, SpendingUse
from sagequeue.contract.states import FINISHED, LIVE, QUEUED, UNFINISHED
from sagequeue.contract.submissions import Alternative, JobOptions, TrainingRequest

__all__ = [
    "FINISHED",
    "LIVE",
    "QUEUED",
    "UNFINISHED",
    "Action",
    "Alternative",
    "Attempt",
    "AttemptCost",
    "Budget",
    "BudgetLine",
    "Calendar",
    "CalendarTrial",
    "CallerTrial",
    "Callers",
    "Cancellations",
    "ChangedVerdict",
    "Choice",
    "CostRange",
    "Document",
    "Explanation",
    "Finding",
    "Findings",
    "Forecast",
    "FreeLine",
    "Intake",
    "Job",
    "JobCost",
    "JobFilter",
    "JobOptions",
    "Listing",
    "Misfit",
    "Options",
    "Period",
    "Pool",
    "PoolRules",
    "Pools",
    "Price",
    "Prices",
    "PriorityParts",
    "Problem",
    "Queue",
    "Reason",
    "RefusedCancellation",
    "RefusedPool",
    "Rules",
    "Shortage",
    "Spending",
    "SpendingMonth",
    "SpendingUse",
    "Starts",
    "TeamLine",
    "TrainingRequest",
    "Trial",
    "Verdict",
    "Violation",
    "WhoAmI",
]
