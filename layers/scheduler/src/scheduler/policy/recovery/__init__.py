"""What becomes of a job whose attempt failed: why it failed, and whether it is tried again."""
