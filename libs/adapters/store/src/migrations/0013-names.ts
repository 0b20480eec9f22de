/** Renames the state of a batch row and the result of a model request to their API names. */
export const names = `
ALTER TABLE batch_rows RENAME COLUMN verdict TO state;
UPDATE model_requests
  SET outcome = (outcome::jsonb - 'came' || jsonb_build_object('result', outcome::jsonb -> 'came'))::json
  WHERE outcome IS NOT NULL;
`;
