"""What the cycle and the handlers need from the outside world, in their own words. One module per noun."""
