"""One pure file per kind of stream: its state, its commands, what it decides."""
