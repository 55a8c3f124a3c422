"""Charts as values: what is drawn over what. The report and the studio draw the same ones, each in its own way."""
