"""Defines all errors that the layer raises. Adapters raise them in place of AWS's errors, chained to their cause.

`internal.py` has the errors between the queue's parts, and `refusals.py` has those that callers see. Three modules have
special refusals: `wrong_state.py` for the state of a job, `unreadable.py` for unreadable records, and
`config_errors.py` for configurations.
"""
