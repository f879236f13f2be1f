"""One server and one session in the background, and the thin client that runs lines in it."""
