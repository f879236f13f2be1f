"""Values become text, JSON or nothing here, and nowhere else."""
