"""Values of the queue: frozen, without I/O. Every other package may import them; they import nothing."""
