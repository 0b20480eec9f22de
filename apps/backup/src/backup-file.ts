import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { errnoOf, Fault, releaseVersion } from '@fleet/contracts';
import type { KeptKey } from '@fleet/session-store';

/** Of the layout of the file. */
const layout = 1;

/** The last line: how many keys there are, and the SHA-256 of all lines before it. */
interface Ending {
  readonly end: { readonly keys: number; readonly sha256: string };
}

const damaged = (path: string, what: string): Fault =>
  new Fault('backup.damaged', 'caller', `${path} is no whole backup: ${what}. Nothing was changed; use another one.`);

/**
 * Writes a backup, for its owner alone: it has digests of keys, addresses of webhooks and all submissions in it. It appears whole or not at
 * all.
 * @throws Fault `backup.exists` (caller) where a file of that name is there
 */
export const writeBackup = async (path: string, kept: AsyncIterable<KeptKey>): Promise<Ending['end']> => {
  // What a save that was killed has left is in the way of no other one.
  const partial = `${path}.${randomUUID()}.partial`;
  const file = await open(partial, 'wx', 0o600);
  const hash = createHash('sha256');
  const write = async (value: unknown): Promise<void> => {
    const line = `${JSON.stringify(value)}\n`;
    hash.update(line);
    await file.writeFile(line);
  };
  try {
    await write({
      backup: 'phenix-fleet',
      layout,
      release: releaseVersion,
      at: new Date().toISOString(),
      secrets: true,
    });
    let keys = 0;
    for await (const one of kept) {
      await write(one);
      keys += 1;
    }
    const end = { keys, sha256: hash.digest('hex') };
    await file.writeFile(`${JSON.stringify({ end })}\n`);
    await file.sync();
    await link(partial, path);
    return end;
  } catch (cause) {
    if (errnoOf(cause) !== 'EEXIST') throw cause;
    throw new Fault('backup.exists', 'caller', `${path} is there already; name another file.`, { cause });
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
};

const parsed = (path: string, line: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw damaged(path, 'a line is not JSON');
};

const linesOf = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });

const checkBeginning = (path: string, line: string): void => {
  const first = parsed(path, line);
  if (first['backup'] !== 'phenix-fleet') throw damaged(path, 'it does not begin as one');
  if (first['layout'] !== layout)
    throw new Fault(
      'backup.newer',
      'caller',
      `${path} was written by release ${String(first['release'])} in layout ${String(first['layout'])}; this release reads layout ${String(layout)}.`,
    );
};

/**
 * Reads a backup from beginning to end and compares its checksum.
 * @throws Fault `backup.damaged` or `backup.newer` (caller)
 */
export const checkBackup = async (path: string): Promise<Ending['end']> => {
  const hash = createHash('sha256');
  let lines = 0;
  let last: string | undefined;
  for await (const line of linesOf(path)) {
    if (last === undefined) checkBeginning(path, line);
    else hash.update(`${last}\n`);
    last = line;
    lines += 1;
  }
  const { end } = parsed(path, last ?? '') as Partial<Ending>;
  if (end === undefined) throw damaged(path, 'its last line is missing');
  if (end.keys !== lines - 2 || end.sha256 !== hash.digest('hex')) throw damaged(path, 'its checksum is another');
  return end;
};

/** The keys of a backup that was checked. */
export async function* readBackup(path: string): AsyncGenerator<KeptKey> {
  for await (const line of linesOf(path)) {
    const value = parsed(path, line);
    if ('key' in value) yield value as unknown as KeptKey;
  }
}
