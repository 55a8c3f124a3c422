"""The explicit methods of the documents, for reproducing and teaching: how constraints are kept, how time advances."""
