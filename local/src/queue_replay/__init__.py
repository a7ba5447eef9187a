"""What if last month's jobs had met another budget or policy: the history once more, through the production planner."""
