import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { cycleFolder } from '@fleet/contracts/runs';
import type { OutputFile } from '@fleet/contracts/sessions';
import type { ZipEntry } from './zip-stream';

/** Content of an archive. */
export interface Packing {
  readonly summary: string;
  readonly files: readonly OutputFile[];
  readonly now: Date;
  /** Undefined if the file is missing. */
  readonly open: (path: string) => Promise<FileHandle | undefined>;
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    hash.update(bytes);
    yield bytes;
  }
}

/** In the format of `sha256sum` and `sha256sum --check`: a name with a line break is escaped. */
const sumLine = (hash: Hash, name: string): string => {
  const plain = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${plain === name ? '' : '\\'}${hash.digest('hex')}  ${plain}\n`;
};

/** Names come from programs: one that would be unpacked elsewhere is left out. */
const isHarmless = (name: string): boolean =>
  !name.startsWith('/') && !/(^|[/\\])\.\.([/\\]|$)/.test(name) && !/^[A-Za-z]:/.test(name);

const textEntry = (name: string, text: string, modified: Date): ZipEntry => ({
  name,
  modified,
  size: Buffer.byteLength(text),
  content: Readable.from([Buffer.from(text)]),
});

/**
 * The files of a session for an archive, each opened when it is its turn: the summary, the files under their cycles,
 * and `SHA256SUMS` of all of them at the end. Recorded files that are unreadable are listed in `MISSING.txt`.
 */
export async function* packed({ summary, files, now, open }: Packing): AsyncGenerator<ZipEntry> {
  const sums: string[] = [];
  const missing: string[] = [];
  const summed = ({ content, ...entry }: ZipEntry): { readonly entry: ZipEntry; readonly end: () => void } => {
    const hash = createHash('sha256');
    return { entry: { ...entry, content: hashing(content, hash) }, end: () => sums.push(sumLine(hash, entry.name)) };
  };
  const first = summed(textEntry('summary.md', summary, now));
  yield first.entry;
  first.end();
  for (const file of files) {
    const name = `${cycleFolder(file.cycle, file.program)}/${file.name}`;
    const opened = isHarmless(name) ? await open(file.path) : undefined;
    if (opened === undefined) {
      missing.push(name);
      continue;
    }
    try {
      const { size, mtime } = await opened.stat();
      const next = summed({ name, modified: mtime, size, content: opened.createReadStream() });
      yield next.entry;
      next.end();
    } finally {
      await opened.close();
    }
  }
  if (missing.length > 0) {
    const text = `These files were written, but are no longer readable:\n\n${missing.map((name) => `${JSON.stringify(name)}\n`).join('')}`;
    const last = summed(textEntry('MISSING.txt', text, now));
    yield last.entry;
    last.end();
  }
  yield textEntry('SHA256SUMS', sums.join(''), now);
}
