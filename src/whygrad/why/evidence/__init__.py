"""What is known: records, events, history and values of what ran."""
