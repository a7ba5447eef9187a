"""Decides what follows a failed attempt: a retry later, the end of the job, or on-demand instances in place of spot.

Open `retry_decision` first. `retry_policy` has the defaults and what operators may set, `failure_classes` finds the
cause of a failure, `leaving_spot` decides when a spot job continues on demand.
"""
