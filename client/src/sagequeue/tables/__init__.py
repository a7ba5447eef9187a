"""Tables and texts for the terminal: one module for each kind of answer.

Open `jobs.py` first. `formats.py` is the form that all tables share, and writes times and costs.
"""
