/**
 * Rows are wide, and the rows of a search are on as many pages. An index that also contains the sort and filter columns
 * is read instead of them. A column is included if a move that changes it changes an index anyway, so that moves stay
 * on their page (HOT) as before, and if its length is limited (`searched-columns.ts`), because an index stores at most
 * 2,700 bytes of a row.
 */
export const coveringIndexes = `
DROP INDEX sessions_proposal_created_at_id_idx, sessions_submitter_created_at_id_idx, sessions_batch_created_at_id_idx,
  sessions_created_at_id_idx, sessions_resolution_created_at_id_idx, sessions_r_free_created_at_id_idx;

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
`;
