"""Each numbered fact about SageMaker's events (1) and training jobs (2) is shown by a test or row, or left out."""

import re
from pathlib import Path

import pytest

from local_sagemaker.conformance.table import TABLE

TESTS = Path(__file__).parents[3]
GUIDE = TESTS.parent / "docs" / "contribute" / "emulator-behaviour.md"

_RANGES = [(1, 1, 19), (2, 1, 9), (2, 12, 32), (2, 40, 47), (2, 50, 68), (2, 70, 74), (2, 80, 82)]
FACTS = {f"{section}.{number}" for section, first, last in _RANGES for number in range(first, last + 1)}

# Tests by tier, each below `local_sagemaker` there.
SHOWN_BY = {
    "1.1": "unit/state_machine/test_event_faults.py::test_all_events_can_be_lost",
    "1.2": "unit/state_machine/test_event_faults.py::test_a_doubled_event_can_have_an_id_of_its_own",
    "1.3": "unit/state_machine/test_event_faults.py::test_a_late_event_is_overtaken",
    "1.5": "unit/state_machine/test_event_payloads.py::test_the_envelope_is_that_of_a_recorded_event",
    "1.6": "unit/state_machine/test_event_payloads.py::test_the_detail_has_the_keys_and_types_of_a_recorded_event",
    "1.7": "unit/state_machine/test_unknowns.py::test_times_in_events_are_numbers_or_strings",
    "1.8": "unit/state_machine/test_event_payloads.py::test_tags_are_a_map",
    "1.9": "unit/state_machine/test_event_payloads.py::test_the_detail_has_the_keys_and_types_of_a_recorded_event",
    "1.10": "unit/state_machine/test_unknowns.py::test_secondary_statuses_send_events_or_not",
    "1.11": "unit/state_machine/test_unknowns.py::test_changes_without_documented_events_send_events_or_not",
    "2.1": "unit/state_machine/test_request_rates.py::test_calls_above_the_rate_are_throttled",
    "2.7": "unit/state_machine/test_lifecycle.py::test_training_start_time_is_absent_until_the_job_has_instances",
    "2.8": "unit/state_machine/test_lifecycle.py::test_billable_time_is_the_time_on_instances",
    "2.13": "unit/state_machine/test_lifecycle.py::test_a_stopped_job_uploads_before_it_is_stopped",
    "2.17": "unit/test_simulation.py::test_boto3s_waiter_sees_the_end_of_a_job",
    "2.22": "unit/state_machine/test_quotas_and_warm_pools.py::test_a_quota_error_has_sagemakers_text",
    "2.23": "unit/state_machine/test_quotas_and_warm_pools.py::test_spot_instances_have_their_own_quota",
    "2.26": "integration/server/test_control_api.py::test_an_sdk_that_repeats_a_lost_create_finds_its_own_job",
    "2.27": "unit/state_machine/test_unknowns.py::test_a_new_job_is_described_at_once_or_later",
    "2.30": "unit/api/test_validation.py::test_a_request_outside_the_model_gets_sagemakers_error",
    "2.31": "unit/api/test_request_corpus.py::test_a_real_request_is_accepted_and_described_back",
    "2.32": "unit/server/test_control_api.py::test_calls_can_be_throttled_a_number_of_times",
    "2.46": "integration/script_runner/test_training.py::test_a_stopped_job_is_resumed_from_its_checkpoint",
    "2.51": "unit/state_machine/test_quotas_and_warm_pools.py::test_a_job_with_another_role_does_not_match",
    "2.53": "unit/state_machine/test_quotas_and_warm_pools.py::test_without_a_warm_pool_quota_there_is_no_pool",
    "2.58": "unit/state_machine/test_quotas_and_warm_pools.py::test_reserved_capacity_is_not_counted",
    "2.59": "unit/api/test_validation.py::test_the_error_for_an_unknown_instance_type_lists_the_known_ones",
    "2.60": "unit/api/test_listing.py::test_a_page_has_ten_jobs_by_default",
    "2.61": "unit/api/test_listing.py::test_a_page_is_cut_before_the_status_filter_applies",
    "2.62": "unit/state_machine/test_unknowns.py::test_lists_begin_with_the_oldest_or_the_newest",
    "2.64": "unit/api/test_search.py::test_results_have_tags_and_lack_newer_members",
    "2.68": "unit/api/test_list_pages.py::test_a_page_is_cut_before_or_after_each_filter",
    "2.70": "unit/api/test_request_corpus.py::test_a_real_request_is_accepted_and_described_back",
    "2.71": "unit/api/test_validation.py::test_contradictory_resources_are_refused",
    "2.82": "integration/script_runner/test_metrics.py::test_each_gpu_type_of_the_api_has_gpus",
}


def in_table() -> set[str]:
    return {row.fact for row in TABLE}


def left_out() -> set[str]:
    """Returns the numbers in the guide's table of facts that are left out."""
    _, _, section = GUIDE.read_text().partition("\n## Facts left out\n")
    cells = re.findall(r"^\| ([\d., ]+) \| \S.* \|$", section.partition("\n## ")[0], re.MULTILINE)
    return {number.strip() for cell in cells for number in cell.split(",")}


def test_each_fact_is_in_the_table_or_shown_by_a_test_or_left_out_with_the_reason() -> None:
    assert in_table() | SHOWN_BY.keys() | left_out() == FACTS


def test_no_fact_is_both_shown_and_left_out() -> None:
    assert not left_out() & (in_table() | SHOWN_BY.keys())


@pytest.mark.parametrize("test", sorted(set(SHOWN_BY.values())))
def test_each_test_that_shows_a_fact_exists(test: str) -> None:
    path, _, name = test.partition("::")
    tier, _, file = path.partition("/")
    assert f"def {name}(" in (TESTS / tier / "local_sagemaker" / file).read_text()
