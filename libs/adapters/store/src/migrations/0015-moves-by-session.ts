/**
 * Moves are read by session or in the order of their transactions, never by number alone: every move writes an index
 * less.
 */
export const movesBySession = `
ALTER TABLE moves DROP CONSTRAINT moves_pkey, ADD PRIMARY KEY (session, number);
DROP INDEX moves_session_number_idx;
`;
