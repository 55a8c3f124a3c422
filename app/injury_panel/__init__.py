"""What a ride does to its riders: every criterion with its margin, when and where, and its chart."""
