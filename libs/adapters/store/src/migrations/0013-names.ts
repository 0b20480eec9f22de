/** The state of a batch row and the result of a request to a model have the names that the API gives them. */
export const names = `
ALTER TABLE batch_rows RENAME COLUMN verdict TO state;
UPDATE model_requests
  SET outcome = (outcome::jsonb - 'came' || jsonb_build_object('result', outcome::jsonb -> 'came'))::json
  WHERE outcome IS NOT NULL;
`;
