"""The real work of training jobs: each host is a process in a directory tree of its own, without containers."""
