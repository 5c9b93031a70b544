"""Many models that answer as one: averaged, boosted, stacked, or put to the vote."""
