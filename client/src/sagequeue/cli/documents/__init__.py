"""Commands that show, check and apply the operators' documents: rules, callers, calendar, prices, spending, pool rules.

Open `document.py` first: it holds the arguments and the printing that all of them share.
"""
