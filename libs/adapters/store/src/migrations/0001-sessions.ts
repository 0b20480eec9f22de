/**
 * Sessions, their cycles and moves, programs and batches. What is listed, filtered, sorted or searched has a column.
 * The rest is JSON as text (`json`): `jsonb` would reject what `JSON.stringify` may write for a malformed text (a lone
 * surrogate, U+0000). Ids and titles are compared byte by byte.
 */
export const sessions = `
CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  wake_ups integer NOT NULL,
  status text NOT NULL,
  stage text NOT NULL,
  cycle integer NOT NULL,
  attempt integer NOT NULL,
  outcome text,
  title text COLLATE "C" NOT NULL,
  proposal text NOT NULL,
  beamline text NOT NULL,
  submitter text NOT NULL,
  batch text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  wake_at timestamptz,
  due_at timestamptz,
  failed_version integer,
  failed_wake_ups integer,
  failed_in_a_row integer,
  superseded boolean NOT NULL DEFAULT false,
  content text[] NOT NULL,
  folder text NOT NULL,
  request json NOT NULL,
  guidance json,
  stop json,
  progress json NOT NULL
);
COMMENT ON COLUMN sessions.wake_at IS 'the outbox: its wake-up was written at this time and is not in its queue yet';
COMMENT ON COLUMN sessions.due_at IS 'when the sweeper looks after it if nothing happens';
COMMENT ON COLUMN sessions.superseded IS 'the row of the batch that it was made for was run again';
CREATE INDEX ON sessions (created_at DESC, id DESC);
CREATE INDEX ON sessions (title, id);
CREATE INDEX ON sessions (status, created_at DESC, id DESC);
CREATE INDEX ON sessions (outcome, created_at DESC, id DESC) WHERE outcome IS NOT NULL;
CREATE INDEX ON sessions (proposal, created_at DESC, id DESC);
CREATE INDEX ON sessions (beamline, created_at DESC, id DESC);
CREATE INDEX ON sessions (submitter, created_at DESC, id DESC);
CREATE INDEX ON sessions (batch, created_at DESC, id DESC) WHERE batch IS NOT NULL;
CREATE INDEX ON sessions USING gin (content);
CREATE INDEX ON sessions (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX ON sessions (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE cycles (
  session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  cycle integer NOT NULL,
  record json NOT NULL,
  PRIMARY KEY (session, cycle)
);

CREATE TABLE moves (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  was text,
  line text,
  events json NOT NULL,
  told boolean NOT NULL
);
COMMENT ON COLUMN moves.transaction IS 'numbers are given before a transaction ends: only what is older than every open transaction is complete';
COMMENT ON COLUMN moves.line IS 'of the audit trail; absent: the version of the session stayed';
COMMENT ON COLUMN moves.told IS 'whether it has events';
CREATE INDEX ON moves (session, number);
CREATE INDEX ON moves (transaction, number) WHERE told;

CREATE TABLE program_catalogues (
  backend text PRIMARY KEY,
  catalogue json NOT NULL
);

CREATE TABLE batches (
  id text COLLATE "C" PRIMARY KEY,
  proposal text NOT NULL,
  status text NOT NULL,
  only_checked boolean NOT NULL,
  complete boolean NOT NULL DEFAULT false,
  starts boolean NOT NULL,
  priority text,
  rows integer NOT NULL DEFAULT 0,
  turn bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  batch json NOT NULL
);
COMMENT ON COLUMN batches.turn IS 'when its rows were claimed last, in the order of claims: batches take turns';
CREATE INDEX ON batches (created_at DESC, id DESC) WHERE NOT only_checked;
CREATE SEQUENCE batch_turns;

CREATE TABLE batch_rows (
  batch text COLLATE "C" NOT NULL REFERENCES batches ON DELETE CASCADE,
  row integer NOT NULL,
  run integer NOT NULL,
  digest text NOT NULL,
  line integer NOT NULL,
  verdict text NOT NULL,
  session text,
  outcome json NOT NULL,
  content text,
  due_at timestamptz,
  PRIMARY KEY (batch, row),
  UNIQUE (batch, digest)
);
CREATE INDEX ON batch_rows (batch, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE content_holds (
  digest text PRIMARY KEY,
  session text NOT NULL,
  until timestamptz NOT NULL
);
`;
