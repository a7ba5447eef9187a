"""Sorts the queued jobs of a snapshot, and selects the candidates of a plan from a long backlog.

Open `queue_order.py` first. It sorts by priority, then by moves to the top, then by the policy's ordering. After
that, it applies fair share between teams, warm-pool matches, jobs that change their width, and aging, in this order.
`fair_share.py` ranks jobs by team, `continuing_jobs.py` lets jobs that change their width continue first, and
`aging.py` protects long-waiting jobs. `running_caps.py` counts running jobs against their caps.
`candidate_selection.py` limits how many jobs a plan considers.
"""
