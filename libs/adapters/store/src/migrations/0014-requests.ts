/**
 * The digest of a fork's request, the programs that advice requests and the texts that models are to write have the names that the code
 * gives them. Documents are changed as texts: as `jsonb` they could hold no U+0000. In a text of theirs each of these quotation marks has a
 * backslash, so that no such text is changed.
 */
export const requests = `
UPDATE sessions SET request = regexp_replace(request::text, '("forkedFrom":\\{[^{}]*)"asked":', '\\1"requestDigest":')::json
  WHERE request::text ~ '"forkedFrom":\\{[^{}]*"asked":';
UPDATE sessions SET guidance = replace(guidance::text, '"asked":[{"program":', '"requestedPrograms":[{"program":')::json
  WHERE guidance::text LIKE '%"asked":[{"program":%';
ALTER TABLE model_directives RENAME TO text_requests;
`;
