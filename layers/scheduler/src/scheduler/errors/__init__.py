"""All errors of the layer. AWS's vocabulary ends at the adapters, which raise these instead, chained to their cause.

Open `internal.py` for errors between the queue's own parts, `refusals.py` for those that callers see, and
`config_errors.py` for refused operators' documents.
"""
