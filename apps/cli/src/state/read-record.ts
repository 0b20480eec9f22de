import { readFile } from 'node:fs/promises';
import { errnoOf, mistakesIn, type Schema } from '@fleet/contracts';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';

/**
 * A record that phx keeps in a file; undefined where there is none.
 * @throws CliError `usage` for a file that holds something else
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
    `${path} is not what this release of phx keeps there: ${mistake.field} ${mistake.reason}.`,
    ['Move it away, or use the release that wrote it.'],
  );
};
