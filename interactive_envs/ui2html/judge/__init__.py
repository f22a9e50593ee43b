"""The judge of pages without a model: reads questions and scores drafts."""
