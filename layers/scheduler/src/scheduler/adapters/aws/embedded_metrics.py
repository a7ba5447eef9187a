"""Writes CloudWatch metrics as log lines in the embedded metric format, which needs no call and no permission."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import AmazonCloudWatchEMFProvider

from scheduler.core.history.metrics import FlowMetrics, Gauges, MetricsLevel

NAMESPACE = "SageQueue"
UNITS = {
    "QueuedJobs": "Count",
    "OldestWaitSeconds": "Seconds",
    "UsedInstances": "Count",
    "FreeInstances": "Count",
    "Launches": "Count",
    "LaunchWaitSeconds": "Seconds",
    "Preemptions": "Count",
    "LostInstanceSeconds": "Seconds",
}


@dataclass(frozen=True, slots=True)
class EmbeddedMetrics:
    wanted: MetricsLevel
    queue: str  # the stack's mark

    @property
    def is_on(self) -> bool:
        return self.wanted is not MetricsLevel.OFF

    def record_gauges(self, gauges: Gauges) -> None:
        if self.is_on:
            self._log({"QueuedJobs": [gauges.queued_jobs], "OldestWaitSeconds": [gauges.oldest_wait]})
        if self.wanted is MetricsLevel.ALL:
            for kind, free in gauges.free.counts:
                self._log({"UsedInstances": [gauges.used[kind]], "FreeInstances": [free]}, InstanceType=kind)

    def record_flow(self, flow: FlowMetrics) -> None:
        """Records no zero counts: CloudWatch charges for a metric in each hour in which it is sent."""
        if self.wanted is not MetricsLevel.ALL:
            return
        counts = {
            "Launches": len(flow.launch_waits),
            "Preemptions": flow.preemptions,
            "LostInstanceSeconds": flow.lost_instance_seconds,
        }
        self._log({"LaunchWaitSeconds": flow.launch_waits} | {name: [count] for name, count in counts.items() if count})

    def _log(self, metrics: Mapping[str, Sequence[float]], **dimensions: str) -> None:
        # Powertools always adds `service`; here, it distinguishes the stacks in an account.
        line = AmazonCloudWatchEMFProvider(
            namespace=NAMESPACE, default_dimensions={"service": self.queue, **dimensions}
        )
        for name, values in metrics.items():
            for value in values:
                line.add_metric(name, UNITS[name], value)
        if line.metric_set:
            line.flush_metrics()
