/**
 * What sessions did, and what they are owed: cycles, moves, the next wake-up, and folders that are behind their records.
 * Moves are read by session or in the order of their transactions, never by number alone. Pending work has its own
 * narrow table because it changes with each move. Each move of a session marks its files as pending, and one follower
 * of the moves writes them.
 */
export const moves = `
CREATE TABLE cycles (
  session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  cycle integer NOT NULL,
  record json NOT NULL,
  program text,
  outcome text,
  started_at timestamptz,
  ended_at timestamptz,
  analysed_at timestamptz,
  core_seconds double precision,
  gpu_seconds double precision,
  r_free double precision,
  PRIMARY KEY (session, cycle)
);

CREATE TABLE moves (
  number bigint GENERATED ALWAYS AS IDENTITY,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  was text,
  line text,
  events json NOT NULL,
  told boolean NOT NULL,
  PRIMARY KEY (session, number)
);
COMMENT ON COLUMN moves.transaction IS 'numbers are given before a transaction ends: only what is older than every open transaction is complete';
COMMENT ON COLUMN moves.line IS 'of the audit trail; absent: the version of the session stayed';
COMMENT ON COLUMN moves.told IS 'whether it has events';
CREATE INDEX ON moves (transaction, number) WHERE told;

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
CREATE INDEX ON owed (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX ON owed (due_at);

CREATE TABLE owed_files (
  session text COLLATE "C" PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  due_at timestamptz NOT NULL
);
COMMENT ON TABLE owed_files IS 'sessions whose session.json and summary tell of an earlier state than their records';
COMMENT ON COLUMN owed_files.transaction IS 'that moved the session last: who has written an earlier state takes nothing from it';
COMMENT ON COLUMN owed_files.due_at IS 'until then somebody writes them, or has died meanwhile';
CREATE INDEX ON owed_files (due_at);
`;
