"""The judge of mathematics without a model: reads claims and answers, and decides them."""
