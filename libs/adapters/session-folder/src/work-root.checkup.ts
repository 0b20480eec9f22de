import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '@fleet/contracts/administration';
import { errnoOf } from '@fleet/contracts/faults';
import { finding, levelOf, medianOf, type Checkup } from '@fleet/ports';

/** Number of syncs for the median latency. */
const syncs = 5;

/** Prefix of test folders; one left by an ended process or a hanging disk is removed after an hour. */
const prefix = '.phenix-fleet-checkup.';
const anHourMs = 3_600_000;

/** The tested part of the file system. */
export type FileSystem = Pick<
  typeof fs,
  'link' | 'mkdir' | 'open' | 'readdir' | 'rename' | 'rm' | 'stat' | 'statfs' | 'writeFile'
>;

type Advice = Parameters<typeof finding>[3];

const reasonOf = (error: unknown): string => errnoOf(error) ?? String(error);

const spaceAdvice: Advice = {
  why: 'Programs without space end, and nothing new can be submitted.',
  remedy: 'Remove or archive old results, or enlarge the volume.',
};
const writeAdvice: Advice = {
  why: 'Sessions, logs and results are written there.',
  remedy: `Mount it for writing, and let uid ${String(process.getuid?.())} or a group of ${String(process.getgroups?.())} write to it.`,
};

/** Advice for a full volume, which cannot be tested further. */
const adviceOf = (error: unknown): Advice | undefined => {
  const code = errnoOf(error);
  if (code === 'EROFS') return writeAdvice;
  return code === 'ENOSPC' || code === 'EDQUOT' ? spaceAdvice : undefined;
};

/** Tests whether the work volume supports what the service relies on, in a folder that is removed afterwards. */
export class WorkRootCheckup implements Checkup {
  readonly area = 'work';

  constructor(
    private readonly workRoot: string,
    private readonly files: FileSystem = fs,
  ) {}

  async check(): Promise<readonly Finding[]> {
    const folder = join(this.workRoot, `${prefix}${randomUUID()}`);
    const left = await this.removed(() => this.removeOld());
    const space = await this.space();
    const written = await this.made(folder);
    if (written.level === 'error') return [written, ...left, ...space];
    const found = [
      await this.links(folder),
      await this.rename(folder),
      await this.lock(folder),
      await this.sync(folder),
      await this.clock(folder),
    ];
    const remains = await this.removed(() => this.files.rm(folder, { recursive: true, force: true }));
    return [written, ...found, ...left, ...remains, ...space];
  }

  private async removeOld(): Promise<void> {
    const names = await this.files.readdir(this.workRoot);
    for (const name of names.filter((one) => one.startsWith(prefix))) {
      const folder = join(this.workRoot, name);
      const { mtimeMs } = await this.files.stat(folder);
      if (Date.now() - mtimeMs > anHourMs) await this.files.rm(folder, { recursive: true, force: true });
    }
  }

  /** Empty, or what was left behind. Another gateway may be faster. */
  private async removed(remove: () => Promise<void>): Promise<readonly Finding[]> {
    try {
      await remove();
      return [];
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      const seen = `Folders ${prefix}… of ${this.workRoot} cannot be removed: ${reasonOf(error)}.`;
      return [finding('work.left', 'warning', seen, adviceOf(error) ?? { ...writeAdvice, why: 'They stay there.' })];
    }
  }

  private async made(folder: string): Promise<Finding> {
    try {
      await this.files.mkdir(folder);
      return finding('work.write', 'ok', `${this.workRoot} can be written to.`, writeAdvice);
    } catch (error) {
      const seen = `${this.workRoot} cannot be written to: ${reasonOf(error)}.`;
      return finding('work.write', 'error', seen, adviceOf(error) ?? writeAdvice);
    }
  }

  private links(folder: string): Promise<Finding> {
    const file = join(folder, 'linked');
    return tried('work.hard_links', 'A file can have two names (hard links).', {
      does: async () => {
        await this.files.writeFile(file, '');
        await this.files.link(file, `${file}.second`);
      },
      why: 'Attempts are claimed by hard links, so that one that starts twice runs once.',
      remedy: 'Use a file system that has them: ext4, XFS, NFS, Lustre, GPFS; not CIFS or FAT.',
    });
  }

  private rename(folder: string): Promise<Finding> {
    const under = join(folder, 'a1.running');
    return tried('work.rename', 'A folder with files can be renamed.', {
      does: async () => {
        await this.files.mkdir(under);
        await this.files.writeFile(join(under, 'result'), 'x');
        await this.files.rename(under, join(folder, 'a1'));
        await this.files.stat(join(folder, 'a1', 'result'));
      },
      why: 'The folder of an attempt is published by a rename, so it is always complete.',
      remedy: 'Use one file system for the whole work root, not a union of several or an object store.',
    });
  }

  private lock(folder: string): Promise<Finding> {
    const file = join(folder, 'lock');
    return tried('work.exclusive', 'A file of the same name cannot be created twice.', {
      does: async () => {
        await this.files.writeFile(file, '', { flag: 'wx' });
        const second = await this.files.writeFile(file, '', { flag: 'wx' }).then(
          () => 'made',
          (error: unknown) => reasonOf(error),
        );
        if (second !== 'EEXIST') throw new Error(`the second attempt returned ${second}`);
      },
      why: 'Exclusive creation of a file decides what must happen only once.',
      remedy: 'Use a file system with exclusive creation (O_EXCL): NFS 3 and later, not an object store.',
    });
  }

  private sync(folder: string): Promise<Finding> {
    return measured('work.sync', {
      seen: async () => {
        const tookMs: number[] = [];
        const file = await this.files.open(join(folder, 'synced'), 'wx');
        try {
          for (let done = 0; done < syncs; done += 1) {
            await file.write('x');
            const start = performance.now();
            await file.sync();
            tookMs.push(performance.now() - start);
          }
        } finally {
          await file.close();
        }
        const ms = medianOf(tookMs);
        return [levelOf(ms, { warning: 200, error: 5_000 }), `A sync of a file takes ${ms.toFixed(1)} ms.`];
      },
      why: 'Claims, results and session.json are synced: each step waits for a few.',
      remedy: 'Check the load of the file server, and use faster disks for the work root.',
    });
  }

  private clock(folder: string): Promise<Finding> {
    const file = join(folder, 'time');
    return measured('work.clock', {
      seen: async () => {
        const before = Date.now();
        await this.files.writeFile(file, 'x');
        const { mtimeMs } = await this.files.stat(file);
        const s = Math.abs(mtimeMs - before) / 1000;
        return [
          levelOf(s, { warning: 5, error: 300 }),
          `The clock of this machine and that of the file server differ by ${s.toFixed(1)} s.`,
        ];
      },
      why: 'Changes and ages of files follow from their times.',
      remedy: 'Synchronise the clocks of the file server and all machines (chrony, systemd-timesyncd).',
    });
  }

  private async space(): Promise<readonly Finding[]> {
    const sizes = await this.files.statfs(this.workRoot).catch((error: unknown) => reasonOf(error));
    if (typeof sizes === 'string')
      return [finding('work.space', 'error', `How full ${this.workRoot} is unknown: ${sizes}.`, spaceAdvice)];
    const { bavail, blocks, ffree, files } = sizes;
    const used = (free: number, of: number): number => (1 - free / of) * 100;
    const limits = { warning: 90, error: 98 };
    return [
      ...[
        { check: 'work.space', of: blocks, free: bavail, what: 'space' },
        { check: 'work.inodes', of: files, free: ffree, what: 'inodes' },
      ]
        // A file system with dynamic inodes reports 0.
        .filter(({ of }) => of > 0)
        .map(({ check, of, free, what }) =>
          finding(
            check,
            levelOf(used(free, of), limits),
            `${used(free, of).toFixed(0)} % of the ${what} of ${this.workRoot} ${what === 'space' ? 'is' : 'are'} used.`,
            spaceAdvice,
          ),
        ),
    ];
  }
}

/** A measured value, or why there is none. */
const measured = async (
  check: string,
  { seen, ...advice }: Advice & { readonly seen: () => Promise<readonly [level: Finding['level'], text: string]> },
): Promise<Finding> => {
  try {
    const [level, text] = await seen();
    return finding(check, level, text, advice);
  } catch (error) {
    return finding(check, 'error', `It cannot be measured: ${reasonOf(error)}.`, adviceOf(error) ?? advice);
  }
};

const tried = async (
  check: string,
  good: string,
  { does, why, remedy }: { readonly does: () => Promise<void>; readonly why: string; readonly remedy: string },
): Promise<Finding> => {
  try {
    await does();
    return finding(check, 'ok', good, { why, remedy });
  } catch (error) {
    const instead = adviceOf(error);
    const verdict = instead === undefined ? 'Not so' : 'It cannot be tested';
    return finding(check, 'error', `${verdict}: ${good} (${reasonOf(error)})`, instead ?? { why, remedy });
  }
};
