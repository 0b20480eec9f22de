import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { zipped, type ZipEntry } from './zip-stream';

const modified = new Date('2026-11-22T10:20:30Z');

const pieces = (...texts: readonly string[]): AsyncIterable<Buffer> =>
  Readable.from(texts.map((text) => Buffer.from(text)));
const of = (entries: readonly ZipEntry[]): AsyncIterable<ZipEntry> => Readable.from(entries);

const whole = async (
  entries: readonly ZipEntry[],
  limits?: { readonly bytes: number; readonly entries: number },
): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of zipped(of(entries), limits)) parts.push(part);
  return Buffer.concat(parts);
};

/** Reads an archive with Python: names, sizes, contents; Python verifies each checksum. */
const readBack = (archive: Buffer): unknown => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-zip-'));
  try {
    const file = join(folder, 'a.zip');
    writeFileSync(file, archive);
    const script =
      'import json,sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
      'print(json.dumps([[i.filename,i.file_size,list(i.date_time),z.read(i).decode()] for i in z.infolist()]))';
    return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe('an archive', () => {
  it('is readable by other tools, with names, times and contents', async () => {
    const archive = await whole([
      { name: 'c001-xtriage/log é.txt', modified, size: 5, content: pieces('one ', 'two') },
      { name: 'empty', modified, size: 0, content: pieces() },
      { name: 'long', modified, size: 1, content: pieces(...Array.from({ length: 50 }, () => 'abc'.repeat(1000))) },
    ]);
    expect(readBack(archive)).toEqual([
      ['c001-xtriage/log é.txt', 7, [2026, 11, 22, 10, 20, 30], 'one two'],
      ['empty', 0, [2026, 11, 22, 10, 20, 30], ''],
      ['long', 150_000, [2026, 11, 22, 10, 20, 30], 'abc'.repeat(50_000)],
    ]);
  });

  it('is readable by other tools if a file may be larger than 4 GiB', async () => {
    const archive = await whole([
      { name: 'large', modified, size: 5 * 2 ** 30, content: pieces('not as large as it was said') },
      { name: 'small', modified, size: 1, content: pieces('x') },
    ]);
    expect(readBack(archive)).toEqual([
      ['large', 27, expect.anything(), 'not as large as it was said'],
      ['small', 1, expect.anything(), 'x'],
    ]);
  });

  it('is readable by other tools if offsets and numbers have 64 bits', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const entries = names.map((name) => ({ name, modified, size: 20, content: pieces(name.repeat(20)) }));
    const archive = await whole(entries, { bytes: 10, entries: 2 });
    expect(readBack(archive)).toEqual(names.map((name) => [name, 20, expect.anything() as unknown, name.repeat(20)]));
  });

  it('is empty without files', async () => {
    expect(readBack(await whole([]))).toEqual([]);
  });

  it('stops when its reader stops, and is truncated if a file is unreadable', async () => {
    const seen = { closed: false };
    const endless = new Readable({
      read: () => endless.push(randomBytes(65_536)),
      destroy: (error, done) => {
        seen.closed = true;
        done(error);
      },
    });
    for await (const part of zipped(of([{ name: 'endless', modified, size: 1, content: endless }])))
      if (part.length > 1000) break;
    while (!seen.closed) await pause(1);
    const broken = new Readable({
      read: () => {
        broken.destroy(new Error('the disk is away'));
      },
    });
    await expect(whole([{ name: 'broken', modified, size: 1, content: broken }])).rejects.toThrow('the disk is away');
  });
});
