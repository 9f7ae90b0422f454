"""One kind of contract a file, each a pure function from graph and contract to breaches."""
