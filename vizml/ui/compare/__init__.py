"""Several stages on one document and one clock, and how far they agree."""
