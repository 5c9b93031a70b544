"""Speed, measured: models against scikit-learn, the window against the clock; every claim comes from here."""
