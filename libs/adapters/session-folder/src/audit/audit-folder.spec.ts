import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from '@fleet/contracts/audit';
import { useFolder } from '@fleet/testing';
import { keyOf } from '../session-signature';
import { AuditFolder } from './audit-folder';

const keys = [keyOf(Buffer.alloc(32, 1))];
const root = useFolder();
let today: string;
const opened: AuditFolder[] = [];

beforeEach(() => {
  today = '2026-11-23';
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
});

let ticks = 0;
const start = (given = keys, more: { readonly maxMiB?: number; readonly keepDays?: number } = {}): AuditFolder => {
  const now = (): string => `${today}T10:00:00.${String((ticks += 1) % 1000).padStart(3, '0')}Z`;
  const log = new AuditFolder(
    root,
    { keys: given, maxMiB: 16, keepDays: 400, onWarning: () => undefined, ...more },
    now,
  );
  opened.push(log);
  return log;
};
const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: number.toString(16).padStart(16, '0'),
  at: `${today}T10:00:${String(number % 60).padStart(2, '0')}.000Z`,
  who: 'ada',
  action: 'session.change',
  endpoint: 'POST /v1/sessions/x/cancel',
  object: 'session 01x',
  outcome: 'done',
  request: `r${String(number)}`,
  from: '127.0.0.1',
  ...more,
});
const folder = (): string => join(root, '.phenix-fleet-audit');
const names = (): readonly string[] => readdirSync(folder()).sort();
const change = (name: string, by: (lines: string[]) => readonly string[]): void => {
  const lines = readFileSync(join(folder(), name), 'utf8').split('\n');
  writeFileSync(join(folder(), name), by(lines).join('\n'));
};
const reasons = async (log: AuditFolder): Promise<readonly string[]> =>
  (await log.list({}, 100)).damages.map(({ reason }) => reason);
const writeAll = async (log: AuditFolder, from: number, to: number): Promise<void> => {
  for (let number = from; number <= to; number += 1) await log.write(entry(number), true);
};

describe('the audit log of a work root', () => {
  it('is read newest first, page by page, and filtered by actor, action, subject and time', async () => {
    const log = start();
    await writeAll(log, 1, 5);
    await log.write(entry(6, { who: 'bob', action: 'keys.change', object: 'key 00ff' }), true);
    const first = await log.list({}, 4);
    expect(first.entries.map(({ request }) => request)).toEqual(['r6', 'r5', 'r4', 'r3']);
    const rest = await log.list({}, 4, first.nextCursor);
    expect([rest.entries.map(({ request }) => request), rest.nextCursor]).toEqual([['r2', 'r1'], undefined]);
    const found = async (filter: object): Promise<number> => (await log.list(filter, 100)).entries.length;
    expect(
      await Promise.all(
        [{ who: 'bob' }, { action: 'keys.change' }, { object: '00f' }, { object: 'key 00ff' }].map(found),
      ),
    ).toEqual([1, 1, 1, 1]);
    const at = Date.parse(`${today}T10:00:03.000Z`);
    expect([await found({ since: at }), await found({ until: at }), await found({ who: 'eve' })]).toEqual([4, 2, 0]);
    expect(first.damages).toEqual([]);
  });

  it('is private to its gateway', async () => {
    await writeAll(start(), 1, 1);
    expect([folder(), join(folder(), names()[0]!)].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0]);
  });

  it('shows the end of a request, or its beginning if there is no end', async () => {
    const log = start();
    await log.write(entry(1, { outcome: 'unknown' }), false);
    await log.write(entry(2, { outcome: 'unknown' }), false);
    await log.write(entry(2), true);
    expect((await start().list({}, 10)).entries.map(({ outcome }) => outcome)).toEqual(['done', 'unknown']);
  });

  it('can be written by several gateways at once, with a new file each day and each start', async () => {
    const [one, other] = [start(), start()];
    await Promise.all([writeAll(one, 1, 20), writeAll(other, 21, 40)]);
    today = '2026-11-24';
    await one.write(entry(41), true);
    expect(names()).toHaveLength(3);
    const { entries, damages } = await start().list({}, 100);
    expect([entries.length, new Set(entries.map(({ id }) => id)).size, damages]).toEqual([41, 41, []]);
    const all: AuditEntry[] = [];
    for await (const part of one.all({ who: 'ada' })) all.push(...part);
    expect(all).toHaveLength(41);
  });

  it('reports an altered line, and does not show it', async () => {
    await writeAll(start(), 1, 4);
    change(names()[0]!, (lines) => lines.map((line) => line.replace('"request":"r2"', '"request":"r9"')));
    expect(await reasons(start())).toEqual(['line 3 was altered']);
    expect((await start().list({}, 10)).entries.map(({ request }) => request)).toEqual(['r4', 'r3', 'r1']);
  });

  it('reports removed lines, in the middle and at the beginning', async () => {
    await writeAll(start(), 1, 4);
    change(names()[0]!, (lines) => lines.filter((_, index) => index !== 0 && index !== 2));
    expect(await reasons(start())).toEqual(['lines before line 1 were removed', 'lines before line 2 were removed']);
  });

  it('reports a removed file, or a removed end of one, once another was begun after it', async () => {
    await writeAll(start(), 1, 3);
    await writeAll(start(), 4, 5);
    const [first, second] = names();
    const whole = readFileSync(join(folder(), first!));
    change(first!, (lines) => [...lines.slice(0, -2), '']);
    expect(await reasons(start())).toEqual([`its end is missing; ${second!} names a line that it does not contain`]);
    rmSync(join(folder(), first!));
    expect(await reasons(start())).toEqual([`the file is gone; ${second!} names it`]);
    writeFileSync(join(folder(), first!), whole);
    expect(await reasons(start())).toEqual([]);
  });

  it('rejects lines of other files, with another signature, or with none', async () => {
    await writeAll(start(), 1, 2);
    await writeAll(start([keyOf(Buffer.alloc(32, 2))]), 3, 3);
    await writeAll(start([]), 4, 4);
    const [own] = names();
    const taken = readFileSync(join(folder(), own!), 'utf8').split('\n')[1]!;
    change(own!, (lines) => [...lines.slice(0, -1), taken, '']);
    expect((await reasons(start())).toSorted()).toEqual([
      '2 of its lines are not signed',
      'line 1 was altered',
      'line 2 was altered',
      'lines before line 4 were removed',
    ]);
  });

  it('continues after a line that a crash has truncated', async () => {
    await writeAll(start(), 1, 2);
    const [file] = names();
    writeFileSync(join(folder(), file!), readFileSync(join(folder(), file!), 'utf8').slice(0, -20));
    await writeAll(start(), 3, 3);
    const { entries, damages } = await start().list({}, 10);
    expect(entries.map(({ request }) => request)).toEqual(['r3', 'r1']);
    expect(damages.map(({ reason }) => reason)).toEqual([
      'its last line is not whole: its gateway died, or the disk was full',
    ]);
  });

  it('reports the number of entries that were lost while the disk failed', async () => {
    writeFileSync(folder(), 'in the way');
    const log = start();
    const refused = await Promise.allSettled([log.write(entry(1), true), log.write(entry(2), false)]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    rmSync(folder());
    await log.write(entry(3), true);
    const [gap] = (await log.list({ action: 'audit' }, 10)).entries;
    expect(gap).toMatchObject({ outcome: 'failed', after: { missingEntries: 2 } });
    expect((await log.list({ who: 'ada' }, 10)).entries).toHaveLength(1);
  });

  it('begins another file when one is full, and is read across files by cursor', async () => {
    const log = start(keys, { maxMiB: 0.001 });
    await writeAll(log, 1, 30);
    expect(names().length).toBeGreaterThan(5);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await start().list({}, 7, cursor);
      expect(page.damages).toEqual([]);
      found.push(...page.entries.map(({ request }) => request));
      // What is written meanwhile is newer than the cursor.
      await log.write(entry(30 + found.length, { at: `${today}T11:00:00.000Z` }), true);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(Array.from({ length: 30 }, (_, index) => `r${String(30 - index)}`));
  });

  it('pairs the end of a request with its beginning in an older file', async () => {
    const log = start(keys, { maxMiB: 0.000_001 });
    await log.write(entry(1, { outcome: 'unknown' }), true);
    await log.write(entry(1), true);
    expect(names()).toHaveLength(2);
    expect((await log.list({}, 10)).entries).toMatchObject([{ outcome: 'done' }]);
  });

  const files = (text: string): readonly string[] => names().filter((name) => name.startsWith(text));

  it('removes expired files with an entry about it, and reports no others as missing', async () => {
    for (const day of ['2026-01-01', '2026-01-05', '2026-01-06']) {
      today = day;
      await writeAll(start(), 1, 2);
    }
    today = '2026-01-16';
    // Entries of a file are up to 25 hours younger than its beginning.
    await writeAll(start(keys, { keepDays: 10 }), 3, 3);
    expect(files('20260101')).toEqual([]);
    expect([files('20260105').length, files('20260106').length]).toEqual([1, 1]);
    const { entries, damages } = await start(keys, { keepDays: 10 }).list({ action: 'audit' }, 10);
    expect([entries[0]?.after, entries.length, damages]).toEqual([{ removedFiles: 1 }, 1, []]);
    rmSync(join(folder(), files('20260106')[0]!));
    expect((await start(keys, { keepDays: 10 }).list({}, 10)).damages).toMatchObject([
      { file: expect.stringMatching(/^20260106/) as string },
    ]);
  });

  it('keeps all files if so configured', async () => {
    today = '2020-01-01';
    await writeAll(start(), 1, 1);
    today = '2026-11-23';
    await writeAll(start(keys, { keepDays: 0 }), 2, 2);
    expect(names()).toHaveLength(2);
  });
});
