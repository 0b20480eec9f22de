// Lints the kept OpenAPI document with the recommended rules of OpenAPI's own linter.
import { createConfig, lint } from '@redocly/openapi-core';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

/** Prints what is wrong. True where nothing is. */
export async function lintApi() {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // A login answers with the way to the provider and back: a redirect.
      'operation-2xx-response': 'off',
      // What streams of events tell has a schema, and no answer in JSON that could name it.
      'no-unused-components': 'off',
    },
  });
  const problems = await lint({ ref: path.join(checkout, 'docs/reference/openapi.json'), config });
  for (const { message, ruleId, location } of problems)
    process.stdout.write(`${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})\n`);
  return problems.length === 0;
}
