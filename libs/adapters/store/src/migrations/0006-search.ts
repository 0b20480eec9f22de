/**
 * Columns by which sessions are searched and sorted. Columns that change with each move have no index, so that a move
 * can stay on its page (HOT). Rows of release N get their values here; what SQL cannot derive, the experiment with
 * their next move and the cell with a new request or `phx recover`.
 */
export const search = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;

ALTER TABLE sessions
  ADD COLUMN sample text COLLATE "C",
  ADD COLUMN ligands text[] NOT NULL DEFAULT '{}',
  ADD COLUMN space_group text COLLATE "C",
  ADD COLUMN reduced_cell double precision[],
  ADD COLUMN resolution double precision,
  ADD COLUMN r_free double precision,
  ADD COLUMN map_cc double precision,
  ADD COLUMN programs text[] NOT NULL DEFAULT '{}',
  ADD COLUMN failure text,
  ADD COLUMN searched text NOT NULL DEFAULT '',
  ADD COLUMN experiment text;
ALTER TABLE sessions SET (fillfactor = 85);
COMMENT ON COLUMN sessions.ligands IS 'components that were requested, given as dictionaries or fitted: codes of the CCD, or names of their own';
COMMENT ON COLUMN sessions.space_group IS 'Hermann-Mauguin symbol as gemmi writes it, such as P 1 21 1 or R 3:H';
COMMENT ON COLUMN sessions.reduced_cell IS 'Niggli-reduced cell of the data: a, b, c in Å, alpha, beta, gamma in degrees';
COMMENT ON COLUMN sessions.resolution IS 'Å, of the data';
COMMENT ON COLUMN sessions.r_free IS 'fraction, of the result of a crystal';
COMMENT ON COLUMN sessions.map_cc IS 'correlation of the result with its map, of cryo-EM';
COMMENT ON COLUMN sessions.programs IS 'that were started, each once';
COMMENT ON COLUMN sessions.failure IS 'why it stopped, where it ended without success and was not cancelled';
COMMENT ON COLUMN sessions.searched IS 'title, sample and id in lower case';

CREATE FUNCTION pg_temp.member(document json, path text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN document #>> path;
EXCEPTION WHEN data_exception THEN
  RETURN NULL; -- text that is not Unicode
END $$;
CREATE FUNCTION pg_temp.codes(request json) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT upper(code #>> '{}') FROM (
    SELECT jsonb_path_query(request::jsonb, '$.ligands[*].code') AS code
    UNION ALL SELECT jsonb_path_query(request::jsonb, '$.ligands[*].id')
    UNION ALL SELECT jsonb_path_query(request::jsonb, '$.inputs[*].facts.restraints.codes[*]')) AS codes ORDER BY 1);
EXCEPTION WHEN data_exception THEN
  RETURN '{}';
END $$;
UPDATE sessions SET
  ligands = pg_temp.codes(request),
  space_group = pg_temp.member(progress, '{spaceGroup}'),
  resolution = pg_temp.member(progress, '{resolution}')::double precision,
  r_free = CASE WHEN pg_temp.member(progress, '{fit,metric}') = 'r_free' THEN pg_temp.member(progress, '{fit,value}')::double precision END,
  map_cc = CASE WHEN pg_temp.member(progress, '{fit,metric}') <> 'r_free' THEN pg_temp.member(progress, '{fit,value}')::double precision END,
  programs = ARRAY(
    SELECT DISTINCT pg_temp.member(record, '{decision,program}') FROM cycles
    WHERE session = sessions.id AND pg_temp.member(record, '{attempts,0,attempt}') IS NOT NULL),
  failure = CASE WHEN outcome NOT IN ('solved', 'goal_reached', 'cancelled') THEN pg_temp.member(stop, '{detail}') END,
  searched = lower(concat_ws(E'\\n', title, id));
DROP FUNCTION pg_temp.member(json, text[]);
DROP FUNCTION pg_temp.codes(json);

CREATE INDEX ON sessions USING gin (searched gin_trgm_ops);
CREATE INDEX ON sessions USING gin (failure gin_trgm_ops) WHERE failure IS NOT NULL;
CREATE INDEX ON sessions USING gin (ligands);
CREATE INDEX ON sessions USING gin (programs);
CREATE INDEX ON sessions ((reduced_cell[1]), (reduced_cell[2]), (reduced_cell[3])) WHERE reduced_cell IS NOT NULL;
CREATE INDEX ON sessions (sample, created_at DESC, id DESC) WHERE sample IS NOT NULL;
CREATE INDEX ON sessions (space_group, created_at DESC, id DESC) WHERE space_group IS NOT NULL;
CREATE INDEX ON sessions (resolution, created_at DESC, id DESC) WHERE resolution IS NOT NULL;
CREATE INDEX ON sessions (r_free, created_at DESC, id DESC) WHERE r_free IS NOT NULL;
CREATE INDEX ON sessions (map_cc, created_at DESC, id DESC) WHERE map_cc IS NOT NULL;
CREATE INDEX ON sessions (ended_at, created_at DESC, id DESC) WHERE ended_at IS NOT NULL;
`;
