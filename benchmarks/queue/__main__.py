"""`make bench-queue`: prints the figures in docs/explain/reliability.md. With PART=plans, it prints only the part about
plans.

Without make, run it with `PYTHONPATH=tests:functions python -m benchmarks.queue plans`.
"""

import sys
from collections.abc import Callable

from benchmarks.queue.array_costs import array_cost
from benchmarks.queue.deep_plan import plan_costs
from benchmarks.queue.deep_queue import measure
from benchmarks.queue.freed_slot import freed_slot_seconds
from benchmarks.queue.local_table import local_table
from benchmarks.queue.whole_path import throughput, units
from benchmarks.scheduling.figures import percentile

_JOBS = 300
_METERED_JOBS = 100
_DEEP = (1000, 10_000, 100_000)
_PLANNED = 1000


def report_throughput() -> None:
    found = throughput(_JOBS)
    print(f"{_JOBS} jobs: {found.submissions:.0f} submissions/s, {found.jobs:.0f} launches and completions/s")
    per_job = {operation: calls / _JOBS for operation, calls in sorted(found.sagemaker.items())}
    calls = ", ".join(f"{operation} {count:.2f}" for operation, count in per_job.items())
    print(f"calls to SageMaker a job: {sum(per_job.values()):.2f} ({calls})")
    print(f"List: {found.sagemaker['ListTrainingJobs'] / found.simulated_seconds:.4f}/s")


def report_units() -> None:
    found = units(_METERED_JOBS)
    written = sum(found.written.values())
    print(
        f"{_METERED_JOBS} jobs, DynamoDB for each: {found.read / _METERED_JOBS:.1f} read units, "
        f"{written / _METERED_JOBS:.1f} write units, of these"
    )
    for record, count in sorted(found.written.items(), key=lambda entry: -entry[1]):
        print(f"  {record}: {count / _METERED_JOBS:.1f}")


def report_depth() -> None:
    for waiting in _DEEP:
        found = measure(waiting)
        print(
            f"{found.waiting:,} jobs wait: a snapshot takes {found.calls} calls, {found.items} items, "
            f"{found.units:.0f} read units, and finds {found.candidates} candidates"
        )


def report_slot() -> None:
    for kind, times in zip(("with events", "without"), freed_slot_seconds(15, 4), strict=True):
        print(
            f"freed slot, {kind}: median {percentile(times, 50):.1f} s, p95 {percentile(times, 95):.1f} s, "
            f"longest {max(times):.1f} s of {len(times)}"
        )


def report_plans() -> None:
    with local_table() as (client, stores):
        costs = plan_costs(client, stores, _PLANNED)
    for kind, cost in costs.items():
        print(
            f"plan of a change of {kind} while {_PLANNED:,} jobs wait: {cost.calls} calls, "
            f"{cost.units:.0f} read units, {cost.seconds:.1f} s"
        )


def report_arrays() -> None:
    for size in (100, 1000, 10_000):
        for is_list in (False, True):
            found = array_cost(size, is_list=is_list)
            print(
                f"array of {found.size:,} as a {'list' if is_list else 'matrix'}: submitted in "
                f"{found.submission_seconds:.2f} s with {found.submission_calls} calls; {found.started} jobs "
                f"start in the next hour, with {found.calls} calls and {found.cpu_seconds:.1f} s of CPU time"
            )


PARTS: dict[str, Callable[[], None]] = {
    "throughput": report_throughput,
    "units": report_units,
    "depth": report_depth,
    "plans": report_plans,
    "slot": report_slot,
    "arrays": report_arrays,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
