"""The one owner of the MCP session: requests in, values out; nothing above it speaks DOMShell."""
