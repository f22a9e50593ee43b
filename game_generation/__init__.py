"""Generation and admission of new games."""
