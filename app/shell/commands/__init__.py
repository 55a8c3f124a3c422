"""What the actions do, in groups: methods declared with `@action` are the entries of the menus."""
