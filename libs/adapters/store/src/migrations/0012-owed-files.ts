/**
 * Folders that are behind their records: each move of a session marks its files as pending, and one follower of the
 * moves writes them.
 */
export const owedFiles = `
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
