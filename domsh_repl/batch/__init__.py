"""Lines that nobody types: ``-c``, files and standard input."""
