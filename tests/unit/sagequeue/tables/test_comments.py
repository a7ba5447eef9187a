"""The result of a job as Markdown."""

from sagequeue.tables.comments import comment_on
from unit.sagequeue.builders.costs import a_job_cost
from unit.sagequeue.builders.jobs import a_job, an_attempt


def test_a_completed_job_shows_cost_model_and_metrics() -> None:
    job = a_job(
        "completed",
        "completed",
        "It completed.",
        attempts=[an_attempt(1, "preempted"), an_attempt(2, "completed")],
        cost=a_job_cost(),
        model_artifacts="s3://models/resnet-sq-2/output/model.tar.gz",
        metrics={"loss": 0.25, "accuracy": 0.971},
    )
    assert comment_on(job).splitlines() == [
        "### SageQueue: `resnet` is completed",
        "",
        "|  |  |",
        "|---|---|",
        "| reason | `It completed.` |",
        "| attempts | `2` |",
        "| trained | `40s` |",
        "| instances | `1 × ml.g5.xlarge` |",
        "| cost | `$12.30, at prices of 2026-09-25` |",
        "| model | `s3://models/resnet-sq-2/output/model.tar.gz` |",
        "",
        "| metric | last value |",
        "|---|---|",
        "| `accuracy` | `0.971` |",
        "| `loss` | `0.25` |",
    ]


def test_a_job_that_never_started_shows_its_reason_only() -> None:
    comment = comment_on(a_job("stopped", "cancelled", "anna cancelled it."))
    assert "`anna cancelled it.`" in comment
    assert not any(word in comment for word in ("attempts", "cost", "model", "metric"))


def test_no_text_of_a_job_leaves_its_cell() -> None:
    reason = "AlgorithmError: `@team` | see\n[here](http://evil)\n# heading"
    failed = an_attempt(1, "failed", failure_reason=reason)
    (line,) = [line for line in comment_on(a_job("failed", attempts=[failed])).splitlines() if "Algorithm" in line]
    assert line == "| failure | `AlgorithmError: '@team' \\| see [here](http://evil) # heading` |"
