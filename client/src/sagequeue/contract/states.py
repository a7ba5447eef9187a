"""The states of a job."""

#: States in which a job waits for its instances …
QUEUED = frozenset({"pending", "preempted"})
#: … holds instances …
LIVE = frozenset({"launching", "running", "stopping"})
#: … and has ended for good.
FINISHED = frozenset({"completed", "failed", "stopped"})
#: Every state in which a job has not ended.
UNFINISHED = ("launching", "running", "stopping", "pending", "preempted", "held", "parked")
