"""The project tree and the inspector: everything of a project but the shape of its track."""
