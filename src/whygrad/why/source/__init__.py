"""The user's source: sites, names and syntax."""
