/** Requests to models, their requesters and their cost. */
export const models = `
CREATE TABLE model_works (
  session text COLLATE "C" NOT NULL,
  work text NOT NULL,
  worker text NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (session, work)
);
COMMENT ON COLUMN model_works.held_until IS 'from then on another worker may take it; until one does it stays with this one';

CREATE TABLE model_requests (
  session text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  work text NOT NULL,
  request json NOT NULL,
  outcome json,
  PRIMARY KEY (session, number)
);
COMMENT ON COLUMN model_requests.outcome IS 'absent: the request is under way';

CREATE TABLE model_accounts (
  kind text NOT NULL,
  name text COLLATE "C" NOT NULL,
  requests double precision NOT NULL DEFAULT 0,
  tokens double precision NOT NULL DEFAULT 0,
  cost double precision NOT NULL DEFAULT 0,
  kept_until timestamptz,
  PRIMARY KEY (kind, name)
);
COMMENT ON TABLE model_accounts IS 'what sessions, proposals and days (since 1970) have spent';
CREATE INDEX ON model_accounts (kept_until) WHERE kept_until IS NOT NULL;

CREATE TABLE text_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  cycle integer,
  number integer NOT NULL,
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (session, cycle)
);
COMMENT ON TABLE text_requests IS 'what a model is to write: of the log of a cycle, or of the session as a whole';
CREATE INDEX ON text_requests (due_at);
`;
