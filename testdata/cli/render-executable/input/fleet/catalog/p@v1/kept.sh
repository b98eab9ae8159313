echo one
