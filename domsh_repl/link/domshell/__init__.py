"""The text side of a real DOMShell server: lines it takes, replies it gives, what they add up to.

Everything here is pure: text in, values out. Nothing calls a server or holds a session.
"""
