"""Architecture governance for Python codebases: facts held against policies and baselines."""

__version__ = "0.1.0"
