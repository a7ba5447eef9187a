"""Serves the emulator on a local port: runs the state machine in real time, and keeps jobs on disk.

Open `emulator` first: it answers calls, applies timed changes and passes commands to the script runner. `control_api`
injects faults over HTTP, `event_delivery` invokes Lambda targets, and `job_store` keeps the jobs in SQLite.
"""
