"""Plants one defect at a time into the real code, and counts the worlds until a judge finds it."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

from support.simulation.planted_defects import (
    arrays,
    callbacks,
    configurations,
    dependencies,
    growths,
    instances,
    job_times,
    processing,
    protocol,
    rules,
    shares,
    stop_notices,
    store,
    tuning,
    updates,
)
from support.simulation.runs.random_world import (
    Failure,
    has_arrays,
    has_attackers,
    has_calendar,
    has_callbacks,
    has_elastic_jobs,
    has_large_data,
    has_limits,
    has_other_jobs,
    has_pipelines,
    has_processing,
    has_shortages,
    has_tuning,
    has_two_teams,
    run,
)
from support.simulation.submissions.log_lines import has_losses

#: The table in docs/explain/reliability.md shows how many worlds each defect needs.
MOST_RUNS = 1000
#: Worlds that showed the defects in the last whole search. They are stale when the worlds have changed.
_SEEDS_FILE = Path(__file__).with_name("defect_seeds.json")
SEEDS: Mapping[str, int] = json.loads(_SEEDS_FILE.read_text())
Plant = Callable[[pytest.MonkeyPatch], None]

DEFECTS: Mapping[str, Plant] = {
    "release budget at Stopping": protocol.release_at_stopping,
    "a new name after a timeout": protocol.new_name_after_a_timeout,
    "count patience with a lost Create from the reservation": protocol.count_patience_from_the_reservation,
    "relaunch on Interrupted": protocol.relaunch_when_interrupted,
    "trust an older event": store.trust_older_events,
    "read only the first page": store.read_one_page,
    "drop the condition on the reservation, where the planner overbooks": store.overbook,
    "count a warm pool as free": instances.count_pools_as_free,
    "give a pool to a job that SageMaker would not start there": instances.compare_less_than_sagemaker,
    "count a lent pool and the job that takes it over": instances.count_lent_pools_twice,
    "leave pools against the rules": instances.keep_alive_as_asked,
    "take 'not found' for 'gone'": protocol.relaunch_what_is_not_described,
    "adopt whatever has the attempt's name": protocol.adopt_whatever_has_the_name,
    "take copied tags for an attempt's own": protocol.compare_no_nonce,
    "send a stored request that was replaced": store.compare_no_digest,
    "forget a cancellation": protocol.requeue_the_cancelled,
    "start again what was stopped in the console": protocol.repeat_what_was_stopped_outside,
    "lose the age of a preempted job": protocol.lose_the_age,
    "settle without releasing": store.forget_to_release,
    "log a request": protocol.log_requests,
    "drop the fencing check": store.drop_the_fence,
    "act on a stale index read": store.trust_the_index,
    "recognise duplicates by the event's id": store.recognise_duplicates_by_id,
    "ignore NextToken": protocol.list_one_page,
    "lose the place in SageMaker's list between two cycles": protocol.lose_the_place_in_the_list,
    "take an attempt whose tags are listed late for another training job": protocol.wait_for_no_tags,
    "leave the alarms of attempts that are over": rules.leave_alarms,
    "take missing metrics for idle GPUs": rules.take_missing_metrics_for_idle,
    "stop jobs with underused GPUs without a warning": rules.stop_underused_jobs_at_once,
    "stop jobs with NaN losses without a warning": rules.stop_jobs_with_nan_losses_without_a_warning,
    "take finite losses for NaN": rules.take_finite_losses_for_nan,
    "take unused jobs that write lines for hung": rules.take_unused_jobs_for_hung,
    "take missing log lines for silence": rules.take_missing_lines_for_silence,
    "retry a job after each hang": rules.retry_after_each_hang,
    "exempt jobs from the watch for ever": rules.exempt_for_ever,
    "exempt no job from the watch": rules.exempt_no_job,
    "read the calendar of ten minutes ago": instances.read_an_old_calendar,
    "start what can neither end nor give way in time": instances.ignore_the_calendar_horizon,
    "stop jobs at a shrink that may run to their end": instances.stop_jobs_over_the_budget,
    "use a training plan to its very end": instances.use_plans_to_the_end,
    "count jobs of a training plan as on demand": instances.count_plans_as_on_demand,
    "check the rules at submission only": rules.check_no_rules_at_launch,
    "set defaults over given values": rules.set_defaults_over_given_values,
    "judge no waiting job again when the rules change": rules.judge_no_waiting_jobs_again,
    "let any user control any job": rules.let_any_user_control,
    "stop unmanaged jobs whatever the rule's mode": rules.stop_for_a_warning,
    "stop unmanaged jobs as hung by one signal": rules.stop_unmanaged_jobs_by_one_signal,
    "stop unmanaged jobs as idle or underused without a warning": rules.stop_unmanaged_jobs_without_a_warning,
    "ignore exemptions": rules.ignore_exemptions,
    "leave unmanaged jobs that break the rules": rules.stop_no_unmanaged_jobs,
    "count no spending": store.count_no_spending,
    "count spending twice": store.count_spending_twice,
    "apply half a file": configurations.apply_half,
    "lose the sections that a file leaves out": configurations.lose_what_a_file_leaves_out,
    "lose the author of a version": configurations.lose_the_author,
    "list no changed kinds": configurations.list_no_changes,
    "read the version before the newest": configurations.read_the_version_before,
    "keep one change a second": store.keep_one_change_a_second,
    "forget shortages": instances.forget_shortages,
    "let all jobs probe a shortage at once": instances.let_all_jobs_probe_at_once,
    "release preferences before SageMaker has selected one": instances.release_preferences_too_early,
    "reserve the first choice, whichever is taken": instances.reserve_the_first_choice,
    "let the record of one job end the cycle": store.isolate_no_job,
    "keep all attempts in a job's record": store.move_no_attempts,
    "stop only after an answer to the notice": stop_notices.stop_only_after_an_answer,
    "believe the answer to an older notice": stop_notices.believe_any_answer,
    "believe a save that is not uploaded": stop_notices.believe_saves_that_are_not_uploaded,
    "forget in each cycle that the notice was given": stop_notices.ask_again_in_each_cycle,
    "ask programs that never reported": stop_notices.ask_programs_that_never_reported,
    "stop without notice": stop_notices.give_no_notice,
    "lend reserves": shares.lend_reserves,
    "let teams pass their ceilings": shares.pass_ceilings,
    "count no started jobs against ceilings and reserves": shares.count_no_started_jobs,
    "send the time limit as submitted": updates.send_the_submitted_limit,
    "start before the time that the user set": job_times.start_before_the_time,
    "handle no timers": job_times.handle_no_timers,
    "end jobs before they expire": job_times.expire_early,
    "close callbacks before they are reported": callbacks.close_before_the_report,
    "report the end of jobs that wait": callbacks.report_jobs_that_wait,
    "answer only the first token of a job": callbacks.keep_the_first_token_only,
    "take an unanswered report to a pipeline for delivered": callbacks.take_an_unanswered_report_for_delivered,
    "wait for no other job": dependencies.wait_for_no_job,
    "take any end of another job for a success": dependencies.take_any_end_for_success,
    "start jobs without the models of others": dependencies.start_without_models,
    "check waiting jobs only after ends": dependencies.check_only_after_ends,
    "release a job after the first end": dependencies.release_after_the_first_end,
    "grow elastic jobs for nothing": growths.grow_for_nothing,
    "grow elastic jobs while others wait": growths.grow_while_others_wait,
    "grow elastic jobs within the protected run time": growths.grow_within_the_protected_run_time,
    "create a child and its array's letter in two writes": arrays.create_in_two_writes,
    "let all children of an array run at once": arrays.let_all_children_run_at_once,
    "create children of held arrays": arrays.create_children_of_held_arrays,
    "go on after too many failures": arrays.go_on_after_too_many_failures,
    "let waiting children of ended arrays start": arrays.let_waiting_children_of_ended_arrays_start,
    "take any end of an array for a success": arrays.take_any_end_of_an_array_for_success,
    "release jobs while children of their array run": arrays.release_jobs_while_children_run,
    "release the budget of a processing job at Stopping": processing.release_at_stopping,
    "count one instance of a processing cluster": processing.count_one_instance,
    "preempt processing jobs without permission": processing.preempt_without_permission,
    "count no processing jobs that bypass the queue": processing.list_no_processing_jobs,
    "forget a trial": tuning.forget_a_trial,
    "repeat a trial": tuning.repeat_a_trial,
    "release the budget of a tuning job at Stopping": tuning.release_at_stopping,
}

#: Worlds to search, for defects that only some worlds can show.
WORLDS: Mapping[str, Callable[[int], bool]] = {
    "read the calendar of ten minutes ago": has_calendar,
    "start what can neither end nor give way in time": has_calendar,
    "stop jobs at a shrink that may run to their end": has_calendar,
    "use a training plan to its very end": has_calendar,
    "count jobs of a training plan as on demand": has_calendar,
    "count no spending": has_limits,
    "count spending twice": has_limits,
    "stop jobs with NaN losses without a warning": has_losses,
    "take finite losses for NaN": has_losses,
    "let all jobs probe a shortage at once": has_shortages,
    "forget shortages": has_shortages,
    "lose the place in SageMaker's list between two cycles": has_other_jobs,
    "lend reserves": has_two_teams,
    "let teams pass their ceilings": has_two_teams,
    "count no started jobs against ceilings and reserves": has_two_teams,
    "take copied tags for an attempt's own": has_attackers,
    "send a stored request that was replaced": has_attackers,
    "let the record of one job end the cycle": has_large_data,
    "close callbacks before they are reported": has_callbacks,
    "report the end of jobs that wait": has_callbacks,
    "answer only the first token of a job": has_callbacks,
    "take an unanswered report to a pipeline for delivered": has_pipelines,
    "keep all attempts in a job's record": has_large_data,
    "grow elastic jobs for nothing": has_elastic_jobs,
    "grow elastic jobs while others wait": has_elastic_jobs,
    "grow elastic jobs within the protected run time": has_elastic_jobs,
    "create a child and its array's letter in two writes": has_arrays,
    "let all children of an array run at once": has_arrays,
    "create children of held arrays": has_arrays,
    "go on after too many failures": has_arrays,
    "let waiting children of ended arrays start": has_arrays,
    "take any end of an array for a success": has_arrays,
    "release jobs while children of their array run": has_arrays,
    "release the budget of a processing job at Stopping": has_processing,
    "count one instance of a processing cluster": has_processing,
    "preempt processing jobs without permission": has_processing,
    "count no processing jobs that bypass the queue": has_processing,
    "forget a trial": has_tuning,
    "repeat a trial": has_tuning,
    "release the budget of a tuning job at Stopping": has_tuning,
}


class Found(NamedTuple):
    """The number of worlds until a judge found the defect, the last one's seed, and the invariant that failed."""

    runs: int
    seed: int
    invariant: str


def find(name: str) -> Found | None:
    """Finds a planted defect. First tries the world that showed it last time, because a search can take minutes."""
    known = SEEDS.get(name)
    return (known is not None and search(name, [known])) or search(name)


def search(name: str, seeds: Iterable[int] | None = None) -> Found | None:
    """Plays these worlds, or all that can show the defect, from seed 0 on. Returns None if no judge found it."""
    if seeds is None:
        seeds = islice(filter(WORLDS.get(name, lambda _: True), count()), MOST_RUNS)
    with pytest.MonkeyPatch.context() as patches:
        DEFECTS[name](patches)
        for runs, seed in enumerate(seeds, 1):
            try:
                run(seed)
            except Failure as failure:
                return Found(runs, seed, failure.what.partition(":")[0])
    return None


def search_all() -> str:
    """Searches for each defect, keeps the seeds, and returns the table of the counts."""
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        results = dict(zip(DEFECTS, pool.map(search, DEFECTS, 1), strict=True))
    found = {name: result for name, result in results.items() if result}
    _SEEDS_FILE.write_text(json.dumps({name: result.seed for name, result in found.items()}, indent=2) + "\n")
    rows = ["| planted defect | found after runs | by |", "|---|---:|---|"]
    for name in DEFECTS:
        runs, _, invariant = found.get(name, ("not found", 0, ""))
        rows.append(f"| {name} | {runs} | {invariant} |")
    return "\n".join(rows)
