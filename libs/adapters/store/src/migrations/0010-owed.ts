/**
 * Pending work of sessions moves to its own table. It changes with each move, and a session whose indexed columns stay
 * unchanged is updated within its page (HOT), without touching its indexes. Each page reserves space for that.
 */
export const owed = `
CREATE TABLE owed (
  session text COLLATE "C" PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  version integer NOT NULL,
  wake_at timestamptz,
  due_at timestamptz NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE owed IS 'of each session that has not ended: what happens if nothing else does';
COMMENT ON COLUMN owed.version IS 'of the session when it moved last: a late acknowledgement takes nothing from a later move';
COMMENT ON COLUMN owed.wake_at IS 'the outbox: its wake-up was written at this time and is not in its queue yet';
COMMENT ON COLUMN owed.due_at IS 'when the sweeper looks after it if nothing happens';
INSERT INTO owed (session, version, wake_at, due_at)
  SELECT id, version, wake_at, coalesce(due_at, now()) FROM sessions WHERE wake_at IS NOT NULL OR due_at IS NOT NULL;
CREATE INDEX ON owed (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX ON owed (due_at);
ALTER TABLE sessions DROP COLUMN wake_at, DROP COLUMN due_at, SET (fillfactor = 70);
`;
