"""Serves the API of SageMaker Training from the state machine: its operations, their checks and their wire format.

Open `operations` first: it has one function for each operation. `protocol` turns bytes into calls and answers into
bytes; `validation` and `request_rules` refuse invalid requests; `listing` and `search` select jobs.
The folders `tuning` and `processing` have the operations of these jobs.
"""
