"""The documentation as a site: pages that are made from the code, and what the pages of ``docs`` need for it."""
