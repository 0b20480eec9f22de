import { readFile } from 'node:fs/promises';
import { errnoOf } from '@fleet/contracts/faults';
import { mistakesIn, type Schema } from '@fleet/contracts/schema';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';

/**
 * Reads a record that phx stores in a file; undefined if there is none.
 * @throws CliError `usage` for a file with other content
 */
export const readRecord = async <T>(path: string, schema: Schema<T>): Promise<T | undefined> => {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
  const [mistake] = mistakesIn(schema, content, { most: 1 });
  if (mistake === undefined) return content as T;
  throw new CliError(
    exitCodes.usage,
    `${path} is not a record of this release of phx: ${mistake.field} ${mistake.reason}.`,
    ['Move it elsewhere, or use the release that wrote it.'],
  );
};
