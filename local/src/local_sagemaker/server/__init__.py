"""The emulator as a server: the state machine in real time, on a local port, with jobs kept on disk.

Open `emulator` first: it answers calls, fires what is due and hands commands to the script runner. `control_api` takes
fault injection over HTTP, `event_delivery` invokes Lambda targets, and `job_store` keeps the jobs in SQLite.
"""
