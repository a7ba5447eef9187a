"""The calendar: budgets that change with time."""
