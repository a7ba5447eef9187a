"""Serves the operations of pipelines with callback steps. Open `operations` first: it has one function for each.

`definition` refuses pipelines with other steps, and reads the parameters of an execution.
"""
