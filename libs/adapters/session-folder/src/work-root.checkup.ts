import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, type Finding } from '@fleet/contracts';
import { finding, levelOf, medianOf, type Checkup } from '@fleet/ports';

/** Syncs that the latency is the middle of. */
const syncs = 5;

/** What is asked of the file system. */
export type FileSystem = Pick<typeof fs, 'link' | 'mkdir' | 'open' | 'rename' | 'rm' | 'stat' | 'statfs' | 'writeFile'>;

type Look = (folder: string) => Promise<Finding>;

const reasonOf = (error: unknown): string => errnoOf(error) ?? String(error);

/** Whether the work volume does what the service relies on, tried in a folder that is removed afterwards. */
export class WorkRootCheckup implements Checkup {
  readonly area = 'work';

  constructor(
    private readonly workRoot: string,
    private readonly files: FileSystem = fs,
  ) {}

  async check(): Promise<readonly Finding[]> {
    const folder = join(this.workRoot, `.phenix-fleet-checkup.${randomUUID()}`);
    const space = await this.space();
    const written = await this.made(folder);
    if (written.level === 'error') return [written, ...space];
    try {
      const looks: readonly Look[] = [
        (at) => this.links(at),
        (at) => this.rename(at),
        (at) => this.lock(at),
        (at) => this.sync(at),
        (at) => this.clock(at),
      ];
      const found: Finding[] = [];
      for (const look of looks) found.push(await look(folder));
      return [written, ...found, ...space];
    } finally {
      await this.files.rm(folder, { recursive: true, force: true });
    }
  }

  private async made(folder: string): Promise<Finding> {
    const advice = {
      why: 'Sessions, logs and results are written there.',
      remedy: `Mount it for writing, and let uid ${String(process.getuid?.())} or a group of ${String(process.getgroups?.())} write to it.`,
    };
    try {
      await this.files.mkdir(folder);
      return finding('work.write', 'ok', `${this.workRoot} can be written to.`, advice);
    } catch (error) {
      return finding('work.write', 'error', `${this.workRoot} cannot be written to: ${reasonOf(error)}.`, advice);
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
      why: 'The folder of an attempt is published by a rename: whoever sees it sees all of it.',
      remedy:
        'Use one file system for the whole work root, none that is put together of several or lies in an object store.',
    });
  }

  private lock(folder: string): Promise<Finding> {
    const file = join(folder, 'lock');
    return tried('work.exclusive', 'Of two who make a file of one name, one is refused.', {
      does: async () => {
        await this.files.writeFile(file, '', { flag: 'wx' });
        const second = await this.files.writeFile(file, '', { flag: 'wx' }).then(
          () => 'made',
          (error: unknown) => reasonOf(error),
        );
        if (second !== 'EEXIST') throw new Error(`the second one was told ${second}`);
      },
      why: 'What must happen once is decided by who makes a file.',
      remedy: 'Use a file system with exclusive creation (O_EXCL): NFS 3 and later, not an object store.',
    });
  }

  private async sync(folder: string): Promise<Finding> {
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
    return finding(
      'work.sync',
      levelOf(ms, { warning: 200, error: 5_000 }),
      `A sync of a file takes ${ms.toFixed(1)} ms.`,
      {
        why: 'Claims, results and session.json are synced: each step waits for a few.',
        remedy: 'Look whether the file server is overloaded, and put the work root onto faster disks.',
      },
    );
  }

  private async clock(folder: string): Promise<Finding> {
    const file = join(folder, 'time');
    const before = Date.now();
    await this.files.writeFile(file, 'x');
    const { mtimeMs } = await this.files.stat(file);
    const s = Math.abs(mtimeMs - before) / 1000;
    return finding(
      'work.clock',
      levelOf(s, { warning: 5, error: 300 }),
      `The clock of this machine and that of the file server differ by ${s.toFixed(1)} s.`,
      {
        why: 'Whether a file has changed and how old it is follows from its time.',
        remedy: 'Let the file server and all machines keep their time by one server (chrony, systemd-timesyncd).',
      },
    );
  }

  private async space(): Promise<readonly Finding[]> {
    const { bavail, blocks, ffree, files } = await this.files.statfs(this.workRoot);
    const advice = {
      why: 'A program that finds no room ends, and nothing new can be submitted.',
      remedy: 'Remove or archive what is not needed, or enlarge the volume.',
    };
    const used = (free: number, of: number): number => (1 - free / of) * 100;
    const limits = { warning: 90, error: 98 };
    return [
      ...[
        { check: 'work.space', of: blocks, free: bavail, what: 'space' },
        { check: 'work.inodes', of: files, free: ffree, what: 'inodes' },
      ]
        // A file system that makes them as needed says 0.
        .filter(({ of }) => of > 0)
        .map(({ check, of, free, what }) =>
          finding(
            check,
            levelOf(used(free, of), limits),
            `${used(free, of).toFixed(0)} % of the ${what} of ${this.workRoot} are used.`,
            advice,
          ),
        ),
    ];
  }
}

const tried = async (
  check: string,
  good: string,
  { does, why, remedy }: { readonly does: () => Promise<void>; readonly why: string; readonly remedy: string },
): Promise<Finding> => {
  try {
    await does();
    return finding(check, 'ok', good, { why, remedy });
  } catch (error) {
    return finding(check, 'error', `Not so: ${good} (${reasonOf(error)})`, { why, remedy });
  }
};
