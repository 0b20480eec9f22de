import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Node arguments that run a thread from TypeScript sources, as in tests. */
export const sourceThreadArguments: readonly string[] = [
  '--import',
  pathToFileURL(join(__dirname, '../../../test/support/typescript.mjs')).href,
];
