"""What we recorded: baselines and receipts. `store.py` alone writes documents."""
