"""Which debt did another tool record, and what of it is debt here?

A reader a file turns its document into items; `carrying` holds them against what the code has.
"""
