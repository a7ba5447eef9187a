"""Tables and texts for the terminal: one module for each kind of answer.

Open `jobs.py` first. `formats.py` has the layout that all tables share, and formats times and costs.
"""
