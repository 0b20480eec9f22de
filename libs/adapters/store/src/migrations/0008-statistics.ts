/**
 * The base of statistics, and the views that Grafana and notebooks read. Statistics outlive the records that retention
 * deletes; a deletion on request removes their rows explicitly.
 */
export const statistics = `
CREATE TABLE ended_sessions (
  session text COLLATE "C" PRIMARY KEY,
  created_at timestamptz NOT NULL,
  proposal text NOT NULL,
  beamline text NOT NULL,
  submitter text NOT NULL,
  outcome text NOT NULL,
  resolution double precision,
  path text,
  month date NOT NULL GENERATED ALWAYS AS (date_trunc('month', created_at AT TIME ZONE 'UTC')::date) STORED,
  to_first_r_free integer,
  to_end integer NOT NULL,
  core_seconds double precision NOT NULL DEFAULT 0,
  gpu_seconds double precision NOT NULL DEFAULT 0
);
COMMENT ON COLUMN ended_sessions.to_first_r_free IS 'seconds from the submission';
COMMENT ON COLUMN ended_sessions.to_end IS 'seconds from the submission';
COMMENT ON TABLE ended_sessions IS 'narrow rows, written once at the end of a session, so that statistics of a year read little';
CREATE INDEX ON ended_sessions (created_at);

CREATE SCHEMA fleet_public;
COMMENT ON SCHEMA fleet_public IS 'What other programs may read. A release adds views and columns, and takes none away without saying so in its notes.';

CREATE VIEW fleet_public.sessions AS
  SELECT s.id, s.title, s.sample, s.proposal, s.beamline, s.submitter, s.batch, s.experiment, s.status, s.outcome,
    s.failure, s.cycle, s.created_at, s.updated_at, s.ended_at, s.space_group, s.resolution, s.r_free, s.map_cc, s.ligands, s.programs,
    e.path, s.created_at + e.to_first_r_free * interval '1 second' AS first_r_free_at,
    e.core_seconds / 3600 AS core_hours, e.gpu_seconds / 3600 AS gpu_hours
  FROM sessions s LEFT JOIN ended_sessions e ON e.session = s.id;
COMMENT ON VIEW fleet_public.sessions IS 'One row for each session.';
COMMENT ON COLUMN fleet_public.sessions.id IS 'Id of the session.';
COMMENT ON COLUMN fleet_public.sessions.title IS 'Title that the submitter gave.';
COMMENT ON COLUMN fleet_public.sessions.sample IS 'Name of the sample; NULL: none was given.';
COMMENT ON COLUMN fleet_public.sessions.proposal IS 'Proposal that it belongs to.';
COMMENT ON COLUMN fleet_public.sessions.beamline IS 'Beamline; empty: none was given.';
COMMENT ON COLUMN fleet_public.sessions.submitter IS 'Who submitted it; empty: not known.';
COMMENT ON COLUMN fleet_public.sessions.batch IS 'Id of its batch; NULL: submitted alone.';
COMMENT ON COLUMN fleet_public.sessions.experiment IS 'xray or cryoem; NULL: not known.';
COMMENT ON COLUMN fleet_public.sessions.status IS 'running, cancelling, completed, unsatisfactory, failed or cancelled.';
COMMENT ON COLUMN fleet_public.sessions.outcome IS 'Outcome in one word (docs/outcomes.md); NULL while it runs.';
COMMENT ON COLUMN fleet_public.sessions.failure IS 'Why it ended without success; NULL: it did not, was cancelled, or runs.';
COMMENT ON COLUMN fleet_public.sessions.cycle IS 'Current or last cycle, from 1.';
COMMENT ON COLUMN fleet_public.sessions.created_at IS 'Time of the submission.';
COMMENT ON COLUMN fleet_public.sessions.updated_at IS 'Time of the last change.';
COMMENT ON COLUMN fleet_public.sessions.ended_at IS 'Time of the end; NULL while it runs.';
COMMENT ON COLUMN fleet_public.sessions.space_group IS 'Space group (Hermann-Mauguin) of the best model or the data; NULL: not known.';
COMMENT ON COLUMN fleet_public.sessions.resolution IS 'Resolution of the data in Å; NULL: not known.';
COMMENT ON COLUMN fleet_public.sessions.r_free IS 'R-free of the best model of a crystal, a fraction; NULL: none was measured.';
COMMENT ON COLUMN fleet_public.sessions.map_cc IS 'Correlation of the best model with its map, of cryo-EM; NULL: none was measured.';
COMMENT ON COLUMN fleet_public.sessions.ligands IS 'Components that were requested, given as dictionaries or fitted: CCD codes, or names of their own.';
COMMENT ON COLUMN fleet_public.sessions.programs IS 'Programs that were started, each once.';
COMMENT ON COLUMN fleet_public.sessions.path IS 'How the model was made: experimental_phasing, prediction, molecular_replacement, docking, map_building, refinement or none; NULL while it runs.';
COMMENT ON COLUMN fleet_public.sessions.first_r_free_at IS 'Time of the first analysis with an R-free; NULL while it runs, and where none was measured.';
COMMENT ON COLUMN fleet_public.sessions.core_hours IS 'Wall time of its programs times the cores that they were given, in hours; NULL while it runs.';
COMMENT ON COLUMN fleet_public.sessions.gpu_hours IS 'Wall time of its programs that were given a GPU, in hours; NULL while it runs.';

CREATE VIEW fleet_public.counted_sessions AS
  SELECT session AS id, proposal, beamline, submitter, outcome, resolution, path, created_at,
    created_at + to_end * interval '1 second' AS ended_at, created_at + to_first_r_free * interval '1 second' AS first_r_free_at,
    core_seconds / 3600 AS core_hours, gpu_seconds / 3600 AS gpu_hours
  FROM ended_sessions
  UNION ALL
  SELECT id, proposal, beamline, submitter, NULL, NULL, NULL, created_at, NULL, NULL, NULL, NULL
  FROM sessions WHERE status IN ('running', 'cancelling');
COMMENT ON VIEW fleet_public.counted_sessions IS 'One row for each session that statistics count, also of those whose record retention has deleted. Read this for figures of a time, and sessions for details.';
COMMENT ON COLUMN fleet_public.counted_sessions.id IS 'Id of the session.';
COMMENT ON COLUMN fleet_public.counted_sessions.proposal IS 'Proposal that it belongs to.';
COMMENT ON COLUMN fleet_public.counted_sessions.beamline IS 'Beamline; empty: none was given.';
COMMENT ON COLUMN fleet_public.counted_sessions.submitter IS 'Who submitted it; empty: not known.';
COMMENT ON COLUMN fleet_public.counted_sessions.outcome IS 'Outcome in one word (docs/outcomes.md); NULL while it runs.';
COMMENT ON COLUMN fleet_public.counted_sessions.resolution IS 'Resolution of the data in Å; NULL: not known, or it runs.';
COMMENT ON COLUMN fleet_public.counted_sessions.path IS 'How the model was made: experimental_phasing, prediction, molecular_replacement, docking, map_building, refinement or none; NULL: not known, or it runs.';
COMMENT ON COLUMN fleet_public.counted_sessions.created_at IS 'Time of the submission.';
COMMENT ON COLUMN fleet_public.counted_sessions.ended_at IS 'Time of the end; NULL while it runs.';
COMMENT ON COLUMN fleet_public.counted_sessions.first_r_free_at IS 'Time of the first analysis with an R-free; NULL while it runs, and where none was measured.';
COMMENT ON COLUMN fleet_public.counted_sessions.core_hours IS 'Wall time of its programs times the cores that they were given, in hours; NULL while it runs.';
COMMENT ON COLUMN fleet_public.counted_sessions.gpu_hours IS 'Wall time of its programs that were given a GPU, in hours; NULL while it runs.';

CREATE VIEW fleet_public.cycles AS
  SELECT c.session, c.cycle, s.proposal, s.beamline, s.submitter, c.program, c.outcome, c.started_at, c.ended_at,
    c.analysed_at, c.core_seconds / 3600 AS core_hours, c.gpu_seconds / 3600 AS gpu_hours, c.r_free
  FROM cycles c JOIN sessions s ON s.id = c.session;
COMMENT ON VIEW fleet_public.cycles IS 'One row for each cycle of a session: the program that ran and what it used. The first cycles of a fork are copies of those of another session; only the original has hours.';
COMMENT ON COLUMN fleet_public.cycles.session IS 'Id of the session.';
COMMENT ON COLUMN fleet_public.cycles.cycle IS 'Number of the cycle, from 1.';
COMMENT ON COLUMN fleet_public.cycles.proposal IS 'Proposal of the session.';
COMMENT ON COLUMN fleet_public.cycles.beamline IS 'Beamline of the session; empty: none was given.';
COMMENT ON COLUMN fleet_public.cycles.submitter IS 'Who submitted the session; empty: not known.';
COMMENT ON COLUMN fleet_public.cycles.program IS 'Program, such as phenix.refine.';
COMMENT ON COLUMN fleet_public.cycles.outcome IS 'success or failed; NULL until the log was analysed.';
COMMENT ON COLUMN fleet_public.cycles.started_at IS 'Start of the first attempt; NULL: none has started.';
COMMENT ON COLUMN fleet_public.cycles.ended_at IS 'End of the last attempt; NULL: none has ended.';
COMMENT ON COLUMN fleet_public.cycles.analysed_at IS 'Time of the analysis of the log.';
COMMENT ON COLUMN fleet_public.cycles.core_hours IS 'Wall time of all attempts that have ended times the cores that they were given, in hours.';
COMMENT ON COLUMN fleet_public.cycles.gpu_hours IS 'Wall time of all attempts that have ended and were given a GPU, in hours.';
COMMENT ON COLUMN fleet_public.cycles.r_free IS 'R-free that the cycle measured, a fraction.';

CREATE VIEW fleet_public.runs AS
  SELECT name, nodes, held_from AS started_at, waits_since AS waiting_since, in_line AS waits_for_slot FROM runs;
COMMENT ON VIEW fleet_public.runs IS 'One row for each program that runs or waits at this moment.';
COMMENT ON COLUMN fleet_public.runs.name IS 'Name of the run: session, cycle and attempt.';
COMMENT ON COLUMN fleet_public.runs.nodes IS 'Class of nodes: cpu or gpu.';
COMMENT ON COLUMN fleet_public.runs.started_at IS 'Time since it has had a slot; NULL: it has none.';
COMMENT ON COLUMN fleet_public.runs.waiting_since IS 'Time since it has waited; NULL: it did not wait.';
COMMENT ON COLUMN fleet_public.runs.waits_for_slot IS 'Whether it waits for a slot.';

CREATE VIEW fleet_public.batches AS
  SELECT id, proposal, status, priority, rows, created_at, changed_at FROM batches WHERE NOT only_checked;
COMMENT ON VIEW fleet_public.batches IS 'One row for each batch.';
COMMENT ON COLUMN fleet_public.batches.id IS 'Id of the batch.';
COMMENT ON COLUMN fleet_public.batches.proposal IS 'Proposal that it belongs to.';
COMMENT ON COLUMN fleet_public.batches.status IS 'Status of the batch.';
COMMENT ON COLUMN fleet_public.batches.priority IS 'Priority that was set for the batch; NULL: that of its rows.';
COMMENT ON COLUMN fleet_public.batches.rows IS 'Number of rows of its manifest.';
COMMENT ON COLUMN fleet_public.batches.created_at IS 'Time of the submission.';
COMMENT ON COLUMN fleet_public.batches.changed_at IS 'Time of the last change.';
`;
