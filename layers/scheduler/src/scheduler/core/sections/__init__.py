"""The parts that all sections of the configuration share: files with line numbers, strict types, durations, schemas.

Open `schema.py` first. Each capability's folder has the `schema.py` of its section; core/configuration lists them.
"""
