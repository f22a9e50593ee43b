"""Maintainers' scripts: they write what the package ships. The Makefile calls them."""
