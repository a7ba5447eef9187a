"""What all tiers share."""

from hypothesis import settings

# No test is judged by the clock: a busy machine is not a bug.
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")
