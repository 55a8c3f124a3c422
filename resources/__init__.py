"""What comes with the program: examples, the model library, limit tables and the user guide."""
