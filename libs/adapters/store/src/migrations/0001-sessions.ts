/**
 * Sessions. What is listed, filtered, sorted or searched has a column. The rest is JSON as text (`json`): `jsonb` would
 * reject what `JSON.stringify` may write for a malformed text (a lone surrogate, U+0000). Ids and titles are compared
 * byte by byte.
 *
 * Columns that change with each move have no index, so that a move stays on its page (HOT); each page reserves space for
 * that. Rows are wide, and the rows of a search are on as many pages: an index that also contains the sort and filter
 * columns is read instead of them. A column is included if a move that changes it changes an index anyway, and if its
 * length is limited (`searched-columns.ts`), because an index stores at most 2,700 bytes of a row.
 */
export const sessions = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

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
  failed_version integer,
  failed_wake_ups integer,
  failed_in_a_row integer,
  superseded boolean NOT NULL DEFAULT false,
  content text[] NOT NULL,
  folder text NOT NULL,
  request json NOT NULL,
  guidance json,
  stop json,
  progress json NOT NULL,
  sample text COLLATE "C",
  ligands text[] NOT NULL DEFAULT '{}',
  space_group text COLLATE "C",
  reduced_cell double precision[],
  resolution double precision,
  r_free double precision,
  map_cc double precision,
  programs text[] NOT NULL DEFAULT '{}',
  failure text,
  searched text NOT NULL DEFAULT '',
  experiment text,
  uses text[] NOT NULL DEFAULT '{}',
  pinned_at timestamptz,
  pinned_by text,
  pin_reason text,
  expiry_told_at timestamptz,
  purge_claimed_at timestamptz,
  purge_rule text,
  purges_record boolean NOT NULL DEFAULT false,
  folder_purged_at timestamptz,
  purged_bytes bigint
) WITH (fillfactor = 70);
COMMENT ON COLUMN sessions.superseded IS 'the row of the batch that it was made for was run again';
COMMENT ON COLUMN sessions.ligands IS 'components that were requested, given as dictionaries or fitted: codes of the CCD, or names of their own';
COMMENT ON COLUMN sessions.space_group IS 'Hermann-Mauguin symbol as gemmi writes it, such as P 1 21 1 or R 3:H';
COMMENT ON COLUMN sessions.reduced_cell IS 'Niggli-reduced cell of the data: a, b, c in Å, alpha, beta, gamma in degrees';
COMMENT ON COLUMN sessions.resolution IS 'Å, of the data';
COMMENT ON COLUMN sessions.r_free IS 'fraction, of the result of a crystal';
COMMENT ON COLUMN sessions.map_cc IS 'correlation of the result with its map, of cryo-EM';
COMMENT ON COLUMN sessions.programs IS 'that were started, each once';
COMMENT ON COLUMN sessions.failure IS 'why it stopped, where it ended without success and was not cancelled';
COMMENT ON COLUMN sessions.searched IS 'title, sample and id in lower case';
COMMENT ON COLUMN sessions.uses IS 'sessions that have files of this one''s request in their folders';
COMMENT ON COLUMN sessions.purge_claimed_at IS 'somebody deletes the folder, or has died meanwhile';
COMMENT ON COLUMN sessions.expiry_told_at IS 'webhooks and e-mail were told that its files go in a week';
COMMENT ON COLUMN sessions.purge_rule IS 'by which rule, in words';
COMMENT ON COLUMN sessions.purges_record IS 'the row goes with the folder';

CREATE INDEX ON sessions (title, id);
CREATE INDEX ON sessions (status, created_at DESC, id DESC);
CREATE INDEX ON sessions (outcome, created_at DESC, id DESC) WHERE outcome IS NOT NULL;
CREATE INDEX ON sessions (beamline, created_at DESC, id DESC);
CREATE INDEX ON sessions USING gin (content);
CREATE INDEX ON sessions USING gin (searched gin_trgm_ops);
CREATE INDEX ON sessions USING gin (failure gin_trgm_ops) WHERE failure IS NOT NULL;
CREATE INDEX ON sessions USING gin (ligands);
CREATE INDEX ON sessions USING gin (programs);
CREATE INDEX ON sessions ((reduced_cell[1]), (reduced_cell[2]), (reduced_cell[3])) WHERE reduced_cell IS NOT NULL;
CREATE INDEX ON sessions (sample, created_at DESC, id DESC) WHERE sample IS NOT NULL;
CREATE INDEX ON sessions (space_group, created_at DESC, id DESC) WHERE space_group IS NOT NULL;
CREATE INDEX ON sessions (map_cc, created_at DESC, id DESC) WHERE map_cc IS NOT NULL;
CREATE INDEX ON sessions (ended_at, created_at DESC, id DESC) WHERE ended_at IS NOT NULL;
CREATE INDEX ON sessions USING gin (uses) WHERE uses <> '{}';
CREATE INDEX ON sessions (batch) WHERE batch IS NOT NULL AND ended_at IS NULL;
CREATE INDEX ON sessions (ended_at, id) WHERE ended_at IS NOT NULL AND folder_purged_at IS NULL;
CREATE INDEX ON sessions (ended_at, id) WHERE folder_purged_at IS NOT NULL;
CREATE INDEX ON sessions (purge_claimed_at) WHERE purge_claimed_at IS NOT NULL;

CREATE INDEX sessions_of_proposal ON sessions (proposal, created_at DESC, id DESC)
  INCLUDE (ended_at, title, beamline, status, space_group, resolution, r_free, map_cc, sample, outcome);
CREATE INDEX sessions_of_submitter ON sessions (submitter, created_at DESC, id DESC)
  INCLUDE (ended_at, title, beamline, status, space_group, resolution, r_free, map_cc, proposal, outcome);
CREATE INDEX sessions_of_batch ON sessions (batch, created_at DESC, id DESC)
  INCLUDE (ended_at, title, beamline, status, space_group, resolution, r_free, map_cc, sample, outcome) WHERE batch IS NOT NULL;

CREATE INDEX sessions_by_time ON sessions (created_at DESC, id DESC) INCLUDE (ligands);
CREATE INDEX sessions_by_resolution ON sessions (resolution, created_at DESC, id DESC) INCLUDE (ligands) WHERE resolution IS NOT NULL;
CREATE INDEX sessions_by_r_free ON sessions (r_free, created_at DESC, id DESC) INCLUDE (ligands) WHERE r_free IS NOT NULL;

CREATE INDEX sessions_with_failure ON sessions (created_at DESC, id DESC) WHERE failure IS NOT NULL;

CREATE TABLE deleted_sessions (
  id text COLLATE "C" PRIMARY KEY,
  deleted_at timestamptz NOT NULL
);
COMMENT ON TABLE deleted_sessions IS 'a folder that comes back out of a backup does not bring its session back';
`;
