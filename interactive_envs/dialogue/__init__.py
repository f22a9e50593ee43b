"""Environments where one player asks and answers under a budget."""
