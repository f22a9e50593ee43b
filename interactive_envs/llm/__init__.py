"""Model clients: transport, cache, prices, the local model and sentence embeddings."""
