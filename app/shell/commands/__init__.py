"""What the actions do, in groups: each method is named in the table of `app.shell.action_table`."""
