import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@fleet/contracts';
import { ContentFileInspector } from '@fleet/file-inspection';
import { nastyFiles, type NastyFile } from './nasty-files';

/** Bytes. */
const size = 1_000_000;
/** What takes less than this says nothing about growth. Milliseconds. */
const tooShort = 150;
/** Twice the bytes may take this much longer; a reader that goes back over its input takes four times and more. */
const maxGrowth = 3.2;
/** A reader that hangs is seen, one on a busy machine is not. Milliseconds. */
const hang = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Milliseconds of CPU, of all threads: others use the machine too. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds of CPU of the cheapest of some looks at the file. */
const timeOf = async ({ name, make }: NastyFile, bytes: number): Promise<number> => {
  const path = join(folder, name);
  writeFileSync(path, make(bytes));
  let fastest = Infinity;
  for (let round = 0; round < 2; round += 1) {
    const start = cpuMs();
    await new ContentFileInspector().inspect(path, { cycle: 0 }).catch((error: unknown) => {
      if (!isFault(error) || error.kind !== 'caller') throw error;
    });
    fastest = Math.min(fastest, cpuMs() - start);
  }
  return fastest;
};

it.each(Object.entries(nastyFiles))(
  'is read in time that grows as its size: %s',
  async (_, file) => {
    for (let attempt = 1; ; attempt += 1) {
      const [once, twice] = [await timeOf(file, size), await timeOf(file, 2 * size)];
      if (twice < tooShort || twice / once < maxGrowth) return;
      // Other work on the machine makes one measurement wrong, not three.
      if (attempt === 3)
        throw new Error(`${once.toFixed(0)} ms of CPU, and ${twice.toFixed(0)} ms for twice the bytes`);
    }
  },
  hang,
);
