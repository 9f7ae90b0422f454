"""What people wrote: approvals and contracts, read into frozen values."""
