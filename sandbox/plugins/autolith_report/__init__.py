"""What report plugins for Python share: records, exceptions, values, selection. Imported before any code of the repository."""
