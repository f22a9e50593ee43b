"""Records, estimates, tables, charts and pages: what every report is made of."""
