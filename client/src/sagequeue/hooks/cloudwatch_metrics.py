"""Redirects calls for a job's CloudWatch metrics to an attempt, because SageMaker stores metrics under the attempt's
name.

A call asks for one time series, so the answer covers only the last attempt that trained. SDK v2's
`training_job_analytics` takes its time interval from the description, which covers the same attempt.
"""

from typing import Any

from sagequeue.contract.jobs import Job
from sagequeue.hooks.handlers import Handlers, JobLookup, Params
from sagequeue.jobs.description import TRAINING_JOBS

_JOB, _HOST = "TrainingJobName", "Host"  # a host is `<training job>/algo-1`


def _ask_for_attempt(jobs: JobLookup, params: Params, **_: object) -> None:
    params.update(_of_attempt(jobs, params))


def _ask_each_for_attempt(jobs: JobLookup, params: Params, **_: object) -> None:
    queries = params.get("MetricDataQueries")
    if isinstance(queries, list):
        params["MetricDataQueries"] = [_query_of_attempt(jobs, query) for query in queries]


def _query_of_attempt(jobs: JobLookup, query: dict[str, Any]) -> dict[str, Any]:
    """Returns a changed copy of the query. A handler may change only the call's top level; the caller owns the rest."""
    if "MetricStat" not in query:
        return query
    stat = query["MetricStat"]
    metric = {**stat["Metric"], **_of_attempt(jobs, stat["Metric"])}
    return {**query, "MetricStat": {**stat, "Metric": metric}}


def _of_attempt(jobs: JobLookup, metric: dict[str, Any]) -> dict[str, Any]:
    if metric.get("Namespace") != TRAINING_JOBS:
        return {}
    return {"Dimensions": [_dimension(jobs, dimension) for dimension in metric.get("Dimensions", [])]}


def _dimension(jobs: JobLookup, dimension: dict[str, str]) -> dict[str, str]:
    if dimension.get("Name") not in {_JOB, _HOST}:
        return dimension
    name, slash, host = dimension["Value"].partition("/")
    job = jobs.find(name)
    trained = _last_trained_attempt(job) if job else None
    return {**dimension, "Value": f"{trained}{slash}{host}"} if trained else dimension


def _last_trained_attempt(job: Job) -> str | None:
    names = [attempt["name"] for attempt in job["attempts"] if attempt["training_started_at"]]
    return names[-1] if names else None


METRIC_HANDLERS: Handlers = {
    "before-parameter-build.cloudwatch.GetMetricStatistics": _ask_for_attempt,
    "before-parameter-build.cloudwatch.GetMetricData": _ask_each_for_attempt,
}
