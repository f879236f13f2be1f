"""The interactive shell: prompt, completion and history around the executor of commands."""
