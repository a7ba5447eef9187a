"""Who may do what: a pure decision on who calls, what for, and what operators have laid down."""
