"""Sorts the queued jobs of a snapshot, and selects the candidates of a plan from a long backlog.

Open `queue_order.py` first: it applies priority, fair share between teams, warm-pool matches and aging, in this order.
`fair_share.py` ranks jobs by team, and `aging.py` protects long-waiting jobs. `candidate_selection.py` limits how many
jobs a plan considers.
"""
