"""The operators' configuration, with one section of each kind, and its stored versions.

Open `configuration.py` first. `kinds.py` is the registry of section kinds. The folder of each capability has the
`schema.py` of its section.
"""
