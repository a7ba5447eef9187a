"""Everybody who acts in a random world, and how much each world sees of whom."""

from collections import Counter
from random import Random

from support.account.account import Account
from support.simulation.actors.console_users import Console
from support.simulation.actors.fault_records import Vandal
from support.simulation.actors.fault_sagemaker import Weather
from support.simulation.actors.operators import Operators
from support.simulation.actors.stage import Mood, Stage
from support.simulation.actors.users import Users
from support.simulation.judges.invariants import Invariants
from support.simulation.submissions.user_requests import Wishes


class People:
    """Acts at random moments until `rest` is called."""

    def __init__(
        self,
        account: Account,
        wishes: Wishes,
        invariants: Invariants,
        random: Random,
        jobs: int,
        *,
        mood: Mood = Mood.PLAIN,
        operators_act: bool = True,
        in_projects: bool = False,
    ) -> None:
        self._stage = Stage(account, wishes, random, mood, in_projects)
        self._account, self._random = account, random
        self._users, self._console = Users(self._stage, jobs), Console(self._stage)
        self._operators, self._weather = Operators(self._stage, invariants), Weather(self._stage)
        self._vandal = Vandal(self._stage)
        liked = {
            act: self._liking(weight)
            for group in self._groups(operators_act=operators_act)
            for act, weight in group.acts().items()
        }
        self._acts, self._weights = [self._users.submit, *liked], [10.0, *liked.values()]
        self._is_resting = False
        if random.random() < 0.8:
            self._operators.change_pool_rules()
        self._guards = account.settings["GUARD_UNMANAGED_JOBS"] != "off"
        if self._guards:
            self._operators.change_rules()
        if mood is Mood.TIMETABLE:
            self._operators.change_calendar()
        self._pace = random.choice([3.0, 10.0, 40.0])
        self._later()

    @property
    def done(self) -> Counter[str]:
        return self._stage.done

    def rest(self) -> None:
        """Nobody does anything any more, the budget is what it was, all records can be read, and SageMaker is well.

        Where foreign jobs are looked at, a last one is there for the rules that are in force now.
        """
        self._is_resting = True
        self._vandal.repair()
        self._operators.restore_the_budget()
        self._weather.clear()
        if self._guards:
            self._console.run_a_foreign_job()

    def submit_everything_again(self) -> None:
        """As clients do that hear of an old backup."""
        self._users.submit_everything_again()

    def _groups(self, *, operators_act: bool) -> tuple[Users | Console | Weather | Operators | Vandal, ...]:
        theirs = (self._operators, self._vandal) if operators_act else ()
        return (self._users, self._console, self._weather, *theirs)

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / self._pace), self._act)

    def _act(self) -> None:
        if self._is_resting:
            return
        (act,) = self._random.choices(self._acts, self._weights)
        act()
        self._later()

    def _liking(self, weight: float) -> float:
        """Some worlds never see some acts, so that the rare ones are not drowned out."""
        return self._random.choice([0.0, weight, weight])
