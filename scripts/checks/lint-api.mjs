// Lints the committed OpenAPI document with the recommended rules of OpenAPI's own linter.
import { createConfig, lint } from '@redocly/openapi-core';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

/** Prints the problems. Returns true if there are none. */
export async function lintApi() {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // A login answers with redirects, to the identity provider and back.
      'operation-2xx-response': 'off',
      // The events of streams have a schema, but no JSON response refers to it.
      'no-unused-components': 'off',
    },
  });
  const problems = await lint({ ref: path.join(checkout, 'docs/reference/openapi.json'), config });
  for (const { message, ruleId, location } of problems)
    process.stdout.write(`${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})\n`);
  return problems.length === 0;
}
