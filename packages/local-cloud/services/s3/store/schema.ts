/**
 * Metadata of the local S3. A version's `id` only grows, so it orders the versions of a key. `latest` marks the version
 * that a request without a version id sees. `parts` names the content files of a version (`owner` is its id) or of an
 * unfinished upload (`owner` is the upload id): completing an upload moves its parts to the new version, copying names
 * the same files twice.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS buckets (
    name TEXT PRIMARY KEY, created INTEGER NOT NULL, versioning TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS bucket_documents (
    bucket TEXT NOT NULL, kind TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (bucket, kind)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    bucket TEXT NOT NULL, key TEXT NOT NULL, version_id TEXT NOT NULL,
    latest INTEGER NOT NULL, delete_marker INTEGER NOT NULL,
    modified INTEGER NOT NULL, superseded INTEGER,
    size INTEGER NOT NULL, etag TEXT NOT NULL, part_count INTEGER,
    attributes TEXT NOT NULL, tags TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS versions_by_version_id ON versions (bucket, key, version_id);
  CREATE UNIQUE INDEX IF NOT EXISTS versions_latest ON versions (bucket, key) WHERE latest = 1;
  CREATE INDEX IF NOT EXISTS versions_by_age ON versions (bucket, key, id DESC);
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, initiated INTEGER NOT NULL,
    attributes TEXT NOT NULL, tags TEXT NOT NULL, checksum_algorithm TEXT, checksum_type TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS uploads_by_key ON uploads (bucket, key, id);
  CREATE TABLE IF NOT EXISTS completed_uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, request TEXT NOT NULL,
    completed INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS parts (
    owner TEXT NOT NULL, number INTEGER NOT NULL, content TEXT NOT NULL, size INTEGER NOT NULL,
    etag TEXT NOT NULL, checksum TEXT, modified INTEGER NOT NULL, PRIMARY KEY (owner, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS parts_by_content ON parts (content);
  CREATE TABLE IF NOT EXISTS event_journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL
  ) STRICT;
`;
