"""What comes from elsewhere: files of recorded matches and of hands played at real tables."""

from ledger.importing.files import documents, read_json
from ledger.importing.recording import Imported, Importer
from ledger.importing.replaying import Replayed, replay_record

__all__ = ["Imported", "Importer", "Replayed", "documents", "read_json", "replay_record"]
