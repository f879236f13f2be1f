"""The interactive shell: prompt, completion, history. Uses prompt_toolkit; never asks and waits."""
