"""What the code is: one scanner a file, a query over the program; no opinion."""
