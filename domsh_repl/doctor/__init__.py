"""``domsh doctor``: looks at everything that domsh needs and changes nothing, used by ``cli``.

It may start the browser and a server that is given as a command, and ends both; it writes
nothing but a temporary folder that goes again, and downloads nothing.
"""
