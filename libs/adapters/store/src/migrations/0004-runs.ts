/** Slots for runs, the queue for them, administrators' launch settings, orphans, and the programs of each backend. */
export const runs = `
CREATE TABLE runs (
  name text COLLATE "C" PRIMARY KEY,
  nodes text NOT NULL,
  run json NOT NULL,
  keys text[],
  held_from timestamptz,
  waits_since timestamptz,
  arrival bigint,
  in_line boolean NOT NULL DEFAULT false,
  stuck boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN runs.keys IS 'claims of a run that holds its place';
COMMENT ON COLUMN runs.arrival IS 'its place in the line, which it keeps when it is sent back';
CREATE INDEX ON runs (arrival) WHERE in_line;

CREATE TABLE starts_of_days (
  day date NOT NULL,
  key text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (day, key)
);

CREATE TABLE turns (
  proposal text PRIMARY KEY,
  turn double precision NOT NULL
);

CREATE TABLE launch_line (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  revision bigint NOT NULL,
  turn double precision NOT NULL,
  arrived bigint NOT NULL,
  counted_at timestamptz,
  site json,
  no_room text[] NOT NULL,
  typical_ms json NOT NULL
);
INSERT INTO launch_line (revision, turn, arrived, no_room, typical_ms) VALUES (0, 0, 0, '{}', '{}');

CREATE TABLE said (
  name text PRIMARY KEY,
  value json NOT NULL
);

CREATE TABLE maintenance_windows (
  id text PRIMARY KEY,
  maintenance json NOT NULL
);

CREATE TABLE orphans (
  name text COLLATE "C" PRIMARY KEY,
  orphan json NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_strike_at timestamptz NOT NULL,
  strikes integer NOT NULL,
  removing boolean NOT NULL
);

CREATE TABLE program_catalogues (
  backend text PRIMARY KEY,
  catalogue json NOT NULL
);
`;
