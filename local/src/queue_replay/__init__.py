"""`sagequeue replay`: plans the jobs of the history again with the production planner, under other settings.

Open `replay` first: it replays jobs on a virtual clock. `recorded_jobs` reads them from the history, `configuration`
reads budgets, calendars and prices, and `comparison` and `picture` show the result.
"""
