"""All errors of the layer, which adapters raise in place of AWS's, chained to their cause.

`internal.py` has errors between the queue's parts, `refusals.py` callers', `wrong_state.py` and `unreadable.py` two
kinds of these, `config_errors.py` refused documents.
"""
