"""Was the law loosened since another revision? The law as items, their comparison, and who decided."""
