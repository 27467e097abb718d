"""The rules, paragraph by paragraph."""
