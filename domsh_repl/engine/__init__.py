"""The built-in server: a browser of our own, and the page behind one MCP tool.

It stands beside the shell and imports only the words both speak: errors, nodes and safe text.
"""
