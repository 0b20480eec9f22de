import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What Node needs to run a thread from TypeScript sources, as tests do. */
export const sourceThreadArguments: readonly string[] = [
  '--import',
  pathToFileURL(join(__dirname, '../../../test/support/typescript.mjs')).href,
];
