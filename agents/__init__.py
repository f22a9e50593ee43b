"""Players of every kind behind one interface: language models, people, rules, random."""
