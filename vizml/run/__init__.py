"""Training in motion: sessions train and record, states become scenes, one worker does it all."""
