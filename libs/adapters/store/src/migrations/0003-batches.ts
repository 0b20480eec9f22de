/** Batches, their rows, and reservations of content, so that no two rows start a session with the same files. */
export const batches = `
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
  state text NOT NULL,
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
