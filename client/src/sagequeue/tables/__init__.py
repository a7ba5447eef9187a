"""Tables and texts for the terminal: one module for each kind of answer.

Open `jobs.py` first. `layout.py` is the form that all tables share; `formats.py` writes times, durations and costs.
"""
