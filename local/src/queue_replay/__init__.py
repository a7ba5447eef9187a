"""`sagequeue replay`: plans the jobs in the history or in a file with the production planner, under other settings.

Open `replay` first: it replays jobs on a virtual clock. `recorded_jobs` reads them from the history, and `trace_file`
from a file. `variants` makes the configurations to try; `comparison`, `picture` and `report_page` show the result.
"""
