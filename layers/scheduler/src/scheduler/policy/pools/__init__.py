"""What becomes of the instances that an attempt leaves in a warm pool."""
