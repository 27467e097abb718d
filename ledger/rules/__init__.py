"""Rules: what each ruleset allows and pays, and the shapes of winning hands they share."""
