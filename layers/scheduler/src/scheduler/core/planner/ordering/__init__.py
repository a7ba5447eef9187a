"""Sorts the queued jobs of a snapshot, and selects which jobs of a long backlog become candidates.

Open `queue_order.py` first: it applies priority, fair share between teams, matches of warm pools and aging in turn.
`fair_share.py` ranks jobs by team, and `aging.py` protects long-waiting ones. `candidate_selection.py` bounds how many
jobs a plan considers.
"""
