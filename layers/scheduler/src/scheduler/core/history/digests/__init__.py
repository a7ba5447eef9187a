"""A daily digest for each owner: what happened to the owner's jobs, and what they do now.

Open `digest.py` first: it words a digest. `period.py` finds its 24 hours, `owner_day.py` collects what the history
records about one owner, and `owner_now.py` holds the owner's part of the queue.
"""
