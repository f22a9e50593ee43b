"""Games that everybody knows, as plain rules of any size, so that none of them passes as new."""
