"""The pictures of README.md and docs/gallery.md."""
