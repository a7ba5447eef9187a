"""Workflows from a file: jobs and arrays that wait for each other, submitted all or not at all.

Open `workflow_file.py` for the file and its checks, and `workflow.py` for the submission.
"""
