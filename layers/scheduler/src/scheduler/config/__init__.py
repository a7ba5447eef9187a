"""Changes the configuration: reads a file, plans its effects, applies it as a new version, and rolls back.

Open `editor.py` first. `change_plan.py` reads the queue once; `dry_run.py` compares the verdicts on jobs before and
after the change, and `prediction.py` predicts the decisions of the next cycle.
"""
