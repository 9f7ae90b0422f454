"""Are the facts what is granted? The one judge, and what it answers."""
