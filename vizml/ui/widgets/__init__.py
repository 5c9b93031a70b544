"""The controls around the stage: style, icons, parameter panel, timeline, rails."""
