"""Each reason is sorted: who may read its message, and whether a plan keeps instances for a job that waits for it."""

from scheduler.core.jobs.reason import HIDDEN, KEEPS_INSTANCES, Reason, ReasonCode

#: A new reason fails the tests below until it is in one of these, and in `reason.py` if it is not the queue's own.
HIDDEN_FROM_STRANGERS = {"create_refused", "capacity", "failed", "retrying", "job_error"}
NOT_IN_THE_HISTORY = {"rule_violated", "not_permitted", "unreadable_record", "unreadable_request"}
WORDED_BY_QUEUE = {
    *("submitted", "held", "fits", "running", "completed", "cancelled", "requeued", "stopped_outside", "vanished"),
    *("waits_for_budget", "waits_to_preempt", "waits_for_stopping", "waits_for_preemption", "waits_for_calendar"),
    *("waits_for_reconciliation", "waits_behind", "waits_for_capacity", "waits_for_checkpoint_prefix"),
    *("team_ceiling", "reserved_for_team", "exceeds_share", "may_not_borrow"),
    *("waits_for_time", "waits_for_job", "dependency_never_satisfied", "expired", "array_limit"),
    *(
        "spending_limit",
        "owner_cap",
        "interactive_cap",
        "needs_approval",
        "backing_off",
        "leaves_spot",
        "exceeds_budget",
        "outranked",
        "over_budget",
    ),
    *("reclaimed", "narrowed", "growing", "name_clash", "idle_gpu", "underused", "nan_loss", "hung", "time_limit"),
}
WAITS_WITHOUT_INSTANCES = {
    *("waits_for_reconciliation", "waits_behind", "waits_for_capacity", "waits_for_checkpoint_prefix"),
    *("waits_for_time", "waits_for_job"),
}


def test_only_messages_that_quote_a_service_or_a_script_are_hidden_from_strangers() -> None:
    hidden = {code for code in ReasonCode if Reason(code, "text").without_quotes().message == HIDDEN}
    assert hidden == HIDDEN_FROM_STRANGERS


def test_the_history_has_only_messages_that_the_queue_words() -> None:
    assert {code for code in ReasonCode if Reason(code, "text").is_worded_by_queue} == WORDED_BY_QUEUE
    assert {*ReasonCode} == HIDDEN_FROM_STRANGERS | NOT_IN_THE_HISTORY | WORDED_BY_QUEUE


def test_a_reason_to_wait_keeps_instances_or_not() -> None:
    assert {code for code in ReasonCode if code.startswith("waits_")} - KEEPS_INSTANCES == WAITS_WITHOUT_INSTANCES
