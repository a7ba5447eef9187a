"""Workflows from a file: jobs and arrays that wait for each other. Either all of them are submitted, or none.

Open `workflow_file.py` for the file and its checks, `array_check.py` for the checks of arrays, and `workflow.py` for
the submission.
"""
