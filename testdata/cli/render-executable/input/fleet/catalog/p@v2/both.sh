echo one
more
