"""Values of the queue: frozen, without I/O. Everybody may import them; they import each other and `errors`."""
