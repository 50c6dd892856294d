"""What report plugins for Python share; imported before any code of the repository."""
