"""Trains through the queue in an Airflow DAG. Open `dag.py` first."""
