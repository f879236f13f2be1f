"""The engine as DOMShell's own extension answers: in text, from a tree that is kept.

For clients that know DOMShell and nothing else, and to try a client of DOMShell against a live
page. The shapes are those of the extension's version 1.3; the prose between them is ours.
"""
