"""How a codebase that has never been judged gets its first law."""
