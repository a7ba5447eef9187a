"""The stack in the local account: built and deployed by `sam`, with its parameters and what training jobs need.

Open `deployment` first. `parameters` checks values against the template before anything starts, and
`training_resources` creates the execution role and the bucket.
"""
