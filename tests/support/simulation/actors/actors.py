"""Makes users, operators, console users and faults act in a random world, at rates drawn for that world."""

from collections import Counter
from random import Random

from support.account.account import Account
from support.simulation.actors.array_users import ArrayUsers
from support.simulation.actors.attackers import Attackers
from support.simulation.actors.automl_users import AutoMLUsers
from support.simulation.actors.console_users import ConsoleUsers
from support.simulation.actors.context import ActorContext, Emphasis
from support.simulation.actors.fault_records import RecordFaults
from support.simulation.actors.fault_sagemaker import SageMakerFaults
from support.simulation.actors.large_records import LargeRecords
from support.simulation.actors.operators import Operators
from support.simulation.actors.processors import Processors
from support.simulation.actors.tuners import Tuners
from support.simulation.actors.users import Users
from support.simulation.judges.invariants import Invariants
from support.simulation.submissions.user_requests import UserRequests


class Actors:
    """Performs random actions at random times until `rest` is called."""

    def __init__(
        self,
        account: Account,
        user_requests: UserRequests,
        invariants: Invariants,
        random: Random,
        jobs: int,
        *,
        emphasis: Emphasis = Emphasis.PLAIN,
        operators_act: bool = True,
        in_projects: bool = False,
        in_two_teams: bool = False,
        has_elastic_jobs: bool = False,
        has_pipelines: bool = False,
        has_losses: bool = False,
        has_approvals: bool = False,
        has_array_approvals: bool = False,
        has_interactive_jobs: bool = False,
        has_receivers: bool = False,
        attacks: Random | None = None,
        large_records: Random | None = None,
        arrays: Random | None = None,
        processing: Random | None = None,
        tuning: Random | None = None,
        automl: Random | None = None,
    ) -> None:
        self._context = ActorContext(
            account,
            user_requests,
            random,
            emphasis,
            in_projects,
            in_two_teams,
            has_elastic_jobs,
            has_pipelines,
            has_losses,
            has_approvals,
            has_array_approvals,
            has_interactive_jobs,
            has_receivers,
        )
        self._account, self._random = account, random
        self._users, self._console = Users(self._context, jobs), ConsoleUsers(self._context)
        self._operators, self._sagemaker_faults = Operators(self._context, invariants), SageMakerFaults(self._context)
        self._record_faults = RecordFaults(self._context)
        chosen = {
            act: self._chosen_weight(weight)
            for group in self._groups(operators_act=operators_act)
            for act, weight in group.acts().items()
        }
        self._acts, self._weights = [self._users.submit, *chosen], [10.0, *chosen.values()]
        self._is_resting = False
        if random.random() < 0.8 and not has_elastic_jobs:  # most pools keep a job from growing
            self._operators.change_pool_rules()
        self._guards = account.settings["GUARD_UNMANAGED_JOBS"] != "off"
        if self._guards:
            self._operators.change_rules()
        if emphasis is Emphasis.CALENDAR:
            self._operators.change_calendar()
        if in_two_teams:
            self._operators.change_shares()
        if has_elastic_jobs:
            self._operators.shrink_budget()
        self._attackers = Attackers(self._context, attacks) if attacks else None
        self._large_records = LargeRecords(self._context, large_records) if large_records else None
        self._array_users = ArrayUsers(self._context, arrays) if arrays else None
        self._processors = Processors(self._context, processing) if processing else None
        self._tuners = Tuners(self._context, tuning) if tuning else None
        self._automl_users = AutoMLUsers(self._context, automl) if automl else None
        self._pace = random.choice([3.0, 10.0, 40.0])
        self._later()

    @property
    def done(self) -> Counter[str]:
        return self._context.done

    def rest(self) -> None:
        """Ends all actions: restores the budget, repairs records, and ends limits and SageMaker's faults.

        If unmanaged jobs are checked, creates a last unmanaged job, which the current rules judge.
        """
        self._is_resting = True
        self._record_faults.repair()
        self._operators.rest()
        self._sagemaker_faults.clear()
        if self._attackers:
            self._attackers.rest()
        if self._large_records:
            self._large_records.rest()
        if self._array_users:
            self._array_users.rest()
        if self._processors:
            self._processors.rest()
        if self._tuners:
            self._tuners.rest()
        if self._automl_users:
            self._automl_users.rest()
        if self._guards:
            self._console.run_an_unmanaged_job()

    def submit_everything_again(self) -> None:
        """Submits all jobs again, as clients do after a restore."""
        self._users.submit_everything_again()

    def _groups(
        self, *, operators_act: bool
    ) -> tuple[Users | ConsoleUsers | SageMakerFaults | Operators | RecordFaults, ...]:
        theirs = (self._operators, self._record_faults) if operators_act else ()
        return (self._users, self._console, self._sagemaker_faults, *theirs)

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / self._pace), self._act)

    def _act(self) -> None:
        if self._is_resting:
            return
        (act,) = self._random.choices(self._acts, self._weights)
        act()
        self._later()

    def _chosen_weight(self, weight: float) -> float:
        """Draws whether this world has this kind of action at all, so that rare kinds also occur."""
        return self._random.choice([0.0, weight, weight])
