"""What SageMaker answers, as a table, and the script that holds a real account against it."""
