"""The limit tables: where they come from, how far they can be trusted, and which of them count."""
