"""Models processing jobs: they run one container on a cluster, without checkpoints, spot instances or warm pools.

Open `lifecycle` first: it moves the jobs through their statuses. `job` holds the state of one job, and `description`
shows it.
"""
