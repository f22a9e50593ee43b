"""The English of questions about pages, read without a model."""
