"""The form of the records: items, keys, attribute values, and placeholders for unreadable records.

Open `job_records.py` first: it has the items and keys of jobs, attempts and pools; `items.py` has the other kinds.
`record_converter.py` converts values, and replaces unreadable records with placeholders. `sort_keys.py` defines the
order of each index.
"""
