"""Changes the configuration: reads a file, plans what would happen, applies it as a new version, rolls back.

Open `editor.py` first. `change_plan.py` reads the queue once; `dry_run.py` compares the verdicts on its jobs before and
after the change, and `prediction.py` says what the next cycle would do.
"""
