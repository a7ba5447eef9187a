"""Builds the Snapshot that the planner decides on, from the stores and the operators' documents.

Open `snapshot_reader.py` first. Other modules each read one kind of document: prices, spending limits, the calendar.
"""
