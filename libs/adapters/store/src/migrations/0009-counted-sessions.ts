/** Statistics outlive the records that retention deletes; a deletion on request removes their rows explicitly. */
export const countedSessions = `
ALTER TABLE ended_sessions DROP CONSTRAINT ended_sessions_session_fkey;

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
`;
