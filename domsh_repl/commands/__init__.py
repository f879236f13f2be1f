"""The commands: one record each in the registry, one module a group; they print nothing."""
