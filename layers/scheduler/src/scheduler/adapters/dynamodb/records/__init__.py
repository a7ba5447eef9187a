"""The form of the records: items, keys, attribute values, and placeholders for unreadable records.

Open `items.py` first: it has the item and the key of each kind of record. `sort_keys.py` explains the orders of the
indexes, and `unreadable_records.py` what happens when a record cannot be read.
"""
