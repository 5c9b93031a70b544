"""Charts and diagrams: painters for any device, and views for docks."""
