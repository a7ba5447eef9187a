"""Decisions on values: pure functions that take a snapshot and the time, and give a plan with its reasons."""
