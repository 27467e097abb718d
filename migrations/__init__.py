"""The schema's history. Applied by `ledger.database.upgrade`, never by an import."""
