"""How do documents get other identities, or another schema, without a moment in which half of them is old?

`planning` writes down what would change, `applying` does exactly that, `receipt` is what stays of it.
"""
