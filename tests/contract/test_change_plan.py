"""The reads of `sagequeue config plan`: it must answer while a caller waits, whatever the length of the queue."""

from benchmarks.queue.deep_plan import plan_costs
from benchmarks.queue.local_table import local_table


def test_a_plan_reads_jobs_and_requests_in_batches() -> None:
    with local_table() as (client, stores):
        costs = plan_costs(client, stores, 1000)
    assert costs["policy"].checked == costs["rules"].checked == 1000
    # 10 batches of jobs, and the pages of the index that names them; the learned run times; 10 other records.
    assert costs["policy"].calls <= 40
    # Besides, 20 batches of requests to compare the rules, and again to predict: few are in memory at once.
    assert costs["rules"].calls <= costs["policy"].calls + 42
    assert min(cost.decisions for cost in costs.values()) > 0
