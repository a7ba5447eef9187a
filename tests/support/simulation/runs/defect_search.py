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
    automl,
    callbacks,
    configurations,
    dependencies,
    digests,
    growths,
    instances,
    job_times,
    preemptions,
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
    has_approvals,
    has_array_approvals,
    has_arrays,
    has_attackers,
    has_automl,
    has_calendar,
    has_callbacks,
    has_digests,
    has_elastic_jobs,
    has_interactive_jobs,
    has_large_data,
    has_limits,
    has_other_jobs,
    has_pipelines,
    has_processing,
    has_receivers,
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
    "release the budget of a job that is still Stopping": protocol.release_at_stopping,
    "use a new attempt name after a timeout": protocol.new_name_after_a_timeout,
    "measure the wait for a lost Create from the reservation": protocol.count_patience_from_the_reservation,
    "relaunch a job as soon as it is Interrupted": protocol.relaunch_when_interrupted,
    "trust an outdated event": store.trust_older_events,
    "read only the first page": store.read_one_page,
    "reserve without a condition while the planner overbooks": store.overbook,
    "count the instances of a warm pool as free": instances.count_pools_as_free,
    "assign a warm pool to a job that SageMaker would not start on it": instances.compare_less_than_sagemaker,
    "count both a warm pool and the job that takes it over": instances.count_lent_pools_twice,
    "keep warm pools that the rules forbid": instances.keep_alive_as_asked,
    "treat 'not found' as 'gone'": protocol.relaunch_what_is_not_described,
    "adopt any training job with the attempt's name": protocol.adopt_whatever_has_the_name,
    "accept copied tags as an attempt's own": protocol.compare_no_nonce,
    "send a stored request that was replaced": store.compare_no_digest,
    "forget a cancellation": protocol.requeue_the_cancelled,
    "restart a job that was stopped in the console": protocol.repeat_what_was_stopped_outside,
    "lose the age of a preempted job": protocol.lose_the_age,
    "settle an attempt without releasing its budget": store.forget_to_release,
    "write a request to the log": protocol.log_requests,
    "skip the fencing check": store.drop_the_fence,
    "act on a stale index read": store.trust_the_index,
    "recognise duplicate events by their id": store.recognise_duplicates_by_id,
    "ignore NextToken": protocol.list_one_page,
    "lose the place in SageMaker's list between two cycles": protocol.lose_the_place_in_the_list,
    "mistake an attempt for another training job because its tags are listed late": protocol.wait_for_no_tags,
    "keep the alarms of finished attempts": rules.leave_alarms,
    "treat missing metrics as idle GPUs": rules.take_missing_metrics_for_idle,
    "stop jobs with underused GPUs without a warning": rules.stop_underused_jobs_at_once,
    "stop jobs with NaN losses without a warning": rules.stop_jobs_with_nan_losses_without_a_warning,
    "treat finite losses as NaN": rules.take_finite_losses_for_nan,
    "treat idle jobs that write log lines as hung": rules.take_unused_jobs_for_hung,
    "treat unavailable logs as silence": rules.take_missing_lines_for_silence,
    "retry a job after every hang": rules.retry_after_each_hang,
    "exempt jobs from the idle check indefinitely": rules.exempt_for_ever,
    "exempt no job from the idle check": rules.exempt_no_job,
    "apply the calendar with a delay of ten minutes": instances.read_an_old_calendar,
    "start a job that can neither end nor be preempted in time": instances.ignore_the_calendar_horizon,
    "stop jobs that may run to their end when the budget shrinks": instances.stop_jobs_over_the_budget,
    "use a training plan to its very end": instances.use_plans_to_the_end,
    "count training-plan jobs as on-demand jobs": instances.count_plans_as_on_demand,
    "check the rules only at submission": rules.check_no_rules_at_launch,
    "overwrite given values with defaults": rules.set_defaults_over_given_values,
    "keep waiting jobs unchecked when the rules change": rules.judge_no_waiting_jobs_again,
    "let any user control any job": rules.let_any_user_control,
    "stop unmanaged jobs regardless of the rule's mode": rules.stop_for_a_warning,
    "stop unmanaged jobs as hung after a single signal": rules.stop_unmanaged_jobs_by_one_signal,
    "stop unmanaged jobs as idle or underused without a warning": rules.stop_unmanaged_jobs_without_a_warning,
    "stop unmanaged jobs with NaN losses without a warning": (
        rules.stop_unmanaged_jobs_with_nan_losses_without_a_warning
    ),
    "ignore exemptions from the rules": rules.ignore_exemptions,
    "let unmanaged jobs that break the rules run": rules.stop_no_unmanaged_jobs,
    "ignore all spending": store.count_no_spending,
    "count spending twice": store.count_spending_twice,
    "count attempts twice in the statistics": store.count_attempts_twice,
    "count no attempts in the statistics": store.count_no_attempts,
    "apply only half of a configuration file": configurations.apply_half,
    "delete the sections that a configuration file omits": configurations.lose_what_a_file_leaves_out,
    "lose the author of a configuration version": configurations.lose_the_author,
    "omit the list of changed sections": configurations.list_no_changes,
    "read the second-newest version": configurations.read_the_version_before,
    "record only one change per second": store.keep_one_change_a_second,
    "forget shortages": instances.forget_shortages,
    "let all jobs probe a shortage at once": instances.let_all_jobs_probe_at_once,
    "release the other instance types before SageMaker has selected one": instances.release_preferences_too_early,
    "reserve the first choice even if another one is used": instances.reserve_the_first_choice,
    "let one job's record end the cycle": store.isolate_no_job,
    "keep all attempts in a job's record": store.move_no_attempts,
    "stop a job only after it has answered the notice": stop_notices.stop_only_after_an_answer,
    "accept an answer to an older notice": stop_notices.believe_any_answer,
    "accept a save that is not uploaded": stop_notices.believe_saves_that_are_not_uploaded,
    "forget in each cycle that the notice was sent": stop_notices.ask_again_in_each_cycle,
    "send notices to programs that never reported": stop_notices.ask_programs_that_never_reported,
    "stop jobs without notice": stop_notices.give_no_notice,
    "lend reserved instances to other teams": shares.lend_reserves,
    "let teams exceed their ceilings": shares.pass_ceilings,
    "ignore ceilings and reserves for jobs started in the same plan": shares.count_no_started_jobs,
    "start jobs without their approval": rules.start_jobs_without_an_approval,
    "let owners approve their own jobs": rules.let_owners_approve_their_jobs,
    "let owners approve their own arrays": rules.let_owners_approve_their_arrays,
    "let interactive jobs exceed their cap": shares.cap_no_interactive_jobs,
    "send the submitted time limit instead of the updated one": updates.send_the_submitted_limit,
    "start a job before the time that its user set": job_times.start_before_the_time,
    "ignore all timers": job_times.handle_no_timers,
    "end jobs before they expire": job_times.expire_early,
    "close callbacks before they are reported": callbacks.close_before_the_report,
    "report waiting jobs as ended": callbacks.report_jobs_that_wait,
    "answer only a job's first token": callbacks.keep_the_first_token_only,
    "treat an unanswered report to a pipeline as delivered": callbacks.take_an_unanswered_report_for_delivered,
    "forget a report to a bus after an error": callbacks.forget_failed_events,
    "forget a report to a URL after an error of SQS": callbacks.forget_failed_messages,
    "send a report to a URL only once": callbacks.repeat_no_webhook,
    "give each repeat of a report its own id": callbacks.give_each_report_its_own_id,
    "mark digests as sent before sending them": digests.mark_before_sending,
    "give each digest its own id": digests.give_each_digest_its_own_id,
    "leave an owner out of the digests": digests.leave_out_an_owner,
    "start jobs without waiting for other jobs": dependencies.wait_for_no_job,
    "treat any end of another job as success": dependencies.take_any_end_for_success,
    "start jobs without the models that they need": dependencies.start_without_models,
    "check dependencies only when another job ends": dependencies.check_only_after_ends,
    "release a job when the first of its predecessors ends": dependencies.release_after_the_first_end,
    "preempt jobs within their protected run time": preemptions.preempt_within_the_protected_run_time,
    "grow elastic jobs that gain nothing": growths.grow_for_nothing,
    "grow elastic jobs while other jobs wait": growths.grow_while_others_wait,
    "grow elastic jobs within the protected run time": growths.grow_within_the_protected_run_time,
    "create a child and update its array in two separate writes": arrays.create_in_two_writes,
    "let all children of an array run at once": arrays.let_all_children_run_at_once,
    "create children of held arrays": arrays.create_children_of_held_arrays,
    "continue an array after too many failures": arrays.go_on_after_too_many_failures,
    "let waiting children of ended arrays start": arrays.let_waiting_children_of_ended_arrays_start,
    "treat any end of an array as success": arrays.take_any_end_of_an_array_for_success,
    "release jobs while children of the array that they wait for still run": arrays.release_jobs_while_children_run,
    "release the budget of a processing job that is still Stopping": processing.release_at_stopping,
    "count only one instance of a processing cluster": processing.count_one_instance,
    "preempt processing jobs without permission": processing.preempt_without_permission,
    "ignore processing jobs that bypass the queue": processing.list_no_processing_jobs,
    "ignore trials that outlive their tuning job": tuning.forget_a_trial,
    "run trials again after a preemption": tuning.repeat_a_trial,
    "release the budget of a tuning job that is still Stopping": tuning.release_at_stopping,
    "stop AutoML jobs although the rule only warns": automl.stop_automl_jobs_despite_a_warning,
}

#: Worlds to search, for defects that only some worlds can show.
WORLDS: Mapping[str, Callable[[int], bool]] = {
    "apply the calendar with a delay of ten minutes": has_calendar,
    "start a job that can neither end nor be preempted in time": has_calendar,
    "stop jobs that may run to their end when the budget shrinks": has_calendar,
    "use a training plan to its very end": has_calendar,
    "count training-plan jobs as on-demand jobs": has_calendar,
    "ignore all spending": has_limits,
    "count spending twice": has_limits,
    "stop jobs with NaN losses without a warning": has_losses,
    "treat finite losses as NaN": has_losses,
    "stop unmanaged jobs with NaN losses without a warning": has_losses,
    "let all jobs probe a shortage at once": has_shortages,
    "forget shortages": has_shortages,
    "lose the place in SageMaker's list between two cycles": has_other_jobs,
    "lend reserved instances to other teams": has_two_teams,
    "let teams exceed their ceilings": has_two_teams,
    "ignore ceilings and reserves for jobs started in the same plan": has_two_teams,
    "start jobs without their approval": has_approvals,
    "let owners approve their own jobs": has_approvals,
    "let owners approve their own arrays": has_array_approvals,
    "let interactive jobs exceed their cap": has_interactive_jobs,
    "accept copied tags as an attempt's own": has_attackers,
    "send a stored request that was replaced": has_attackers,
    "let one job's record end the cycle": has_large_data,
    "close callbacks before they are reported": has_callbacks,
    "report waiting jobs as ended": has_callbacks,
    "answer only a job's first token": has_callbacks,
    "treat an unanswered report to a pipeline as delivered": has_pipelines,
    "forget a report to a bus after an error": has_receivers,
    "forget a report to a URL after an error of SQS": has_receivers,
    "send a report to a URL only once": has_receivers,
    "give each repeat of a report its own id": has_receivers,
    "keep all attempts in a job's record": has_large_data,
    "mark digests as sent before sending them": has_digests,
    "give each digest its own id": has_digests,
    "leave an owner out of the digests": has_digests,
    "grow elastic jobs that gain nothing": has_elastic_jobs,
    "grow elastic jobs while other jobs wait": has_elastic_jobs,
    "grow elastic jobs within the protected run time": has_elastic_jobs,
    "create a child and update its array in two separate writes": has_arrays,
    "let all children of an array run at once": has_arrays,
    "create children of held arrays": has_arrays,
    "continue an array after too many failures": has_arrays,
    "let waiting children of ended arrays start": has_arrays,
    "treat any end of an array as success": has_arrays,
    "release jobs while children of the array that they wait for still run": has_arrays,
    "release the budget of a processing job that is still Stopping": has_processing,
    "count only one instance of a processing cluster": has_processing,
    "preempt processing jobs without permission": has_processing,
    "ignore processing jobs that bypass the queue": has_processing,
    "ignore trials that outlive their tuning job": has_tuning,
    "run trials again after a preemption": has_tuning,
    "release the budget of a tuning job that is still Stopping": has_tuning,
    "stop AutoML jobs although the rule only warns": has_automl,
}


class Found(NamedTuple):
    """The number of worlds until a judge found the defect, the last world's seed, and the invariant that failed."""

    runs: int
    seed: int
    invariant: str


def find(name: str) -> Found | None:
    """Finds a planted defect. First tries the world that showed it last time, because a search can take minutes."""
    known = SEEDS.get(name)
    return (known is not None and search(name, [known])) or search(name)


def search(name: str, seeds: Iterable[int] | None = None) -> Found | None:
    """Plays these worlds or, from seed 0 on, all worlds that can show the defect. Returns None if no judge found it."""
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
