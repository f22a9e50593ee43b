"""Query games: a hidden set, sequence, tree, graph or rule, a few kinds of queries, and one thing to find out."""
