"""domsh: a shell in which a web page's accessibility tree is a filesystem."""

__all__ = ["__version__"]

__version__ = "0.1.0"
