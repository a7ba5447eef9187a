"""Defects, planted into the real code one at a time: the simulation must find each of them."""

from collections.abc import Callable, Mapping
from itertools import count, islice

import pytest

from support.simulation.planted_defects import instances, protocol, rules, store
from support.simulation.runs.random_world import Failure, has_calendar, has_droughts, has_limits, run

#: The table in docs/reliability.md tells how many each needs.
MOST_RUNS = 200
Plant = Callable[[pytest.MonkeyPatch], None]

MUTATIONS: Mapping[str, Plant] = {
    "release budget at Stopping": protocol.release_at_stopping,
    "a new name after a timeout": protocol.new_name_after_a_timeout,
    "count patience with a lost Create from the reservation": protocol.count_patience_from_the_reservation,
    "relaunch on Interrupted": protocol.relaunch_when_interrupted,
    "trust an older event": store.trust_older_events,
    "read only the first page": store.read_one_page,
    "drop the condition on the reservation, where the planner overbooks": store.overbook,
    "count a warm pool as free": instances.count_pools_as_free,
    "give a pool to a job that SageMaker would not start there": instances.compare_less_than_sagemaker,
    "count a lent pool beside who takes it over": instances.count_lent_pools_twice,
    "leave pools against the rules": instances.keep_alive_as_asked,
    "take 'not found' for 'gone'": protocol.relaunch_what_is_not_described,
    "adopt whatever has the attempt's name": protocol.adopt_whatever_has_the_name,
    "forget a cancellation": protocol.requeue_the_cancelled,
    "start again what was stopped in the console": protocol.repeat_what_was_stopped_outside,
    "lose the age of a preempted job": protocol.lose_the_age,
    "settle without releasing": store.forget_to_release,
    "log a request": protocol.log_requests,
    "drop the fencing check": store.drop_the_fence,
    "act on a stale index read": store.believe_the_index,
    "tell duplicates by the event's id": store.tell_duplicates_by_id,
    "ignore NextToken": protocol.list_one_page,
    "leave the alarms of attempts that are over": rules.leave_alarms,
    "take missing metrics for idle GPUs": rules.take_silence_for_idling,
    "read the calendar of ten minutes ago": instances.be_late_for_the_calendar,
    "start what can neither end nor give way in time": instances.start_what_will_be_in_the_way,
    "stop at a shrink whoever was to run to its end": instances.stop_whoever_is_over_the_budget,
    "use a training plan to its very end": instances.use_plans_to_the_end,
    "count jobs of a training plan as on demand": instances.run_plans_on_what_is_on_demand,
    "ask the rules at submission only": rules.ask_no_rules_at_launch,
    "let anybody control any job": rules.let_anybody_control,
    "stop foreign jobs whatever the rule's mode": rules.stop_for_a_warning,
    "ignore exemptions": rules.know_no_exemption,
    "leave foreign jobs that break the rules": rules.stop_nobody_elses,
    "count nothing of what was spent": store.count_nothing_spent,
    "count what was spent twice": store.count_what_was_spent_twice,
    "keep one change a second": store.keep_one_change_a_second,
    "forget where instances were lacking": instances.forget_what_was_lacking,
    "let all try at once where instances were lacking": instances.let_all_try_at_once,
    "release preferences before SageMaker has selected one": instances.release_preferences_too_early,
    "reserve the first choice, whichever is taken": instances.reserve_the_first_choice,
}

#: Worlds in which to look, where only some can show the defect.
WORLDS: Mapping[str, Callable[[int], bool]] = {
    "read the calendar of ten minutes ago": has_calendar,
    "start what can neither end nor give way in time": has_calendar,
    "stop at a shrink whoever was to run to its end": has_calendar,
    "use a training plan to its very end": has_calendar,
    "count jobs of a training plan as on demand": has_calendar,
    "count nothing of what was spent": has_limits,
    "count what was spent twice": has_limits,
    "let all try at once where instances were lacking": has_droughts,
}


def runs_until_found(name: str) -> tuple[int, str] | None:
    """How many runs it took, and the invariant that told."""
    seeds = filter(WORLDS.get(name, lambda _: True), count())
    with pytest.MonkeyPatch.context() as patches:
        MUTATIONS[name](patches)
        for runs, seed in enumerate(islice(seeds, MOST_RUNS), 1):
            try:
                run(seed)
            except Failure as failure:
                return runs, failure.what.partition(":")[0]
    return None


def as_markdown() -> str:
    rows = ["| planted defect | found after runs | by |", "|---|---:|---|"]
    for name in MUTATIONS:
        runs, number = runs_until_found(name) or ("not found", "")
        rows.append(f"| {name} | {runs} | {number} |")
    return "\n".join(rows)
