"""The operators' configuration: a value with a section of each kind, and its versions.

Open `configuration.py` first. `kinds.py` is the registry of kinds; each capability's folder has its `schema.py`.
"""
