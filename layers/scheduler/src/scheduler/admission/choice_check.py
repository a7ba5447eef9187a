"""Finds the choices of waiting jobs that the next cycle would refuse, for answers and reports about that cycle."""

from dataclasses import dataclass, replace

from scheduler.admission.admission import Admission
from scheduler.admission.launch_check import MOST_JUDGED, LaunchCheck, ReadRequests
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.observe.configuration import ConfigurationReader
from scheduler.ports.clock import Clock


@dataclass(frozen=True, slots=True)
class ChoiceCheck:
    """Judges a job's alternatives as a cycle does: a cycle that starts a job skips the choices that a rule refuses."""

    admission: Admission
    configuration: ConfigurationReader
    read_requests: ReadRequests
    clock: Clock

    def close_refused(self, snapshot: Snapshot) -> Snapshot:
        """Closes the choices that the snapshot's plan would start but a cycle would refuse.

        Judges only jobs with alternatives: a cycle has already parked a job without an allowed choice.
        """
        if not any(job.choices for job in snapshot.queued):
            return snapshot
        check = LaunchCheck(self.configuration.current(), self.admission, self.read_requests, self.clock)
        while refused := self._refused(snapshot, check):
            snapshot = replace(snapshot, closed_choices=snapshot.closed_choices | refused)
        return snapshot

    def _refused(self, snapshot: Snapshot, check: LaunchCheck) -> frozenset[tuple[str, int]]:
        starting = [entry.job for entry in plan(snapshot, self.clock.now()).launches if entry.job.choices]
        judged = check.judge(starting[:MOST_JUDGED])
        return frozenset(found.choice for found in judged if found.refusal is not None) - snapshot.closed_choices
