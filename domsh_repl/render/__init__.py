"""Values become text, JSON or nothing here, and nowhere else."""

from domsh_repl.render.renderer import ColorMode, Renderer

__all__ = ["ColorMode", "Renderer"]
