"""The pictures of README and gallery, drawn by driving the real window."""
