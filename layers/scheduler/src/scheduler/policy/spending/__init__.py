"""Limits on what may be spent in a month."""
