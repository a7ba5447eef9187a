"""Where the queue meets AWS: each module implements a port of `scheduler.ports` and keeps AWS's words to itself."""
