"""`make demo`: four real training jobs share two instances of a local AWS account."""
