"""Track description, centreline, moving frames, rails, path tables, geometry checks, import and export."""
