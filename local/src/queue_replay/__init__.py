"""`sagequeue replay`: runs the jobs of the history through the production planner again, under other settings.

Open `replay` first: it plays jobs on a virtual clock. `recorded_jobs` reads them from the history, `configuration`
reads budgets, calendars and prices, and `comparison` and `picture` show the result.
"""
