"""The composition root: what a user asks for becomes a campaign, and its result is written."""
