"""All errors of the layer. AWS's vocabulary ends at the adapters, which raise these instead, chained to their cause.

Open `internal` for errors between the queue's own parts, `refusals` for those that callers see, and `config_errors` for
refused operators' documents. `problem` and `violation` are the details of a refusal.
"""
