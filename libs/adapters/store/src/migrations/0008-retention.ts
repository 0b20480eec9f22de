/** Retention of sessions: pins, deletions, and shared files. */
export const retention = `
ALTER TABLE sessions
  ADD COLUMN uses text[] NOT NULL DEFAULT '{}',
  ADD COLUMN pinned_at timestamptz,
  ADD COLUMN pinned_by text,
  ADD COLUMN pin_reason text,
  ADD COLUMN expiry_told_at timestamptz,
  ADD COLUMN purge_claimed_at timestamptz,
  ADD COLUMN purge_rule text,
  ADD COLUMN purges_record boolean NOT NULL DEFAULT false,
  ADD COLUMN folder_purged_at timestamptz,
  ADD COLUMN purged_bytes bigint;
COMMENT ON COLUMN sessions.uses IS 'sessions that have files of this one''s request in their folders';
COMMENT ON COLUMN sessions.purge_claimed_at IS 'somebody deletes the folder, or has died meanwhile';
COMMENT ON COLUMN sessions.expiry_told_at IS 'webhooks and e-mail were told that its files go in a week';
COMMENT ON COLUMN sessions.purge_rule IS 'by which rule, in words';
COMMENT ON COLUMN sessions.purges_record IS 'the row goes with the folder';
UPDATE sessions SET uses = array_remove(ARRAY(
    SELECT DISTINCT found[1] FROM regexp_matches(request::text, '/([0-7][0-9a-hjkmnp-tv-z]{25})/', 'g') AS found
  ), id)
  WHERE request::text ~ '/[0-7][0-9a-hjkmnp-tv-z]{25}/';
CREATE INDEX ON sessions USING gin (uses) WHERE uses <> '{}';
CREATE INDEX ON sessions (batch) WHERE batch IS NOT NULL AND ended_at IS NULL;
CREATE INDEX ON sessions (ended_at, id) WHERE ended_at IS NOT NULL AND folder_purged_at IS NULL;
CREATE INDEX ON sessions (ended_at, id) WHERE folder_purged_at IS NOT NULL;
CREATE INDEX ON sessions (purge_claimed_at) WHERE purge_claimed_at IS NOT NULL;

CREATE TABLE deleted_sessions (
  id text COLLATE "C" PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);
COMMENT ON TABLE deleted_sessions IS 'a folder that comes back out of a backup does not bring its session back';
`;
