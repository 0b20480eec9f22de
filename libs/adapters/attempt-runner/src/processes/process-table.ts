import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process that cannot be mistaken for a later one with the same number: `startTime` is in clock ticks since boot. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: number;
}

/** One line of the process table. Zombies are left out when the table is read: nothing of them runs. */
export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Resident memory in bytes; pages that processes share count in each of them. */
  readonly residentBytes: number;
}

/** The kernel and the process numbering that a pid belongs to; pids of another one mean nothing here. */
export interface HostIdentity {
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** Of a process of which nothing is known. */
export const unknownHost: HostIdentity = { bootId: '', pidNamespace: '' };
export const isUnknownHost = ({ bootId }: HostIdentity): boolean => bootId === '';

/** Page size in bytes on every Linux that Node is built for with 4 KiB pages; `statm` and `stat` count in pages. */
const pageBytes = 4096;

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // A process may end between two looks at it, and those of other users cannot be read: both are "not there".
    return undefined;
  }
};

/** A sandbox that hides the kernel's own identity still has a name, which a cluster gives to one pod alone. */
export const hostIdentity = (): HostIdentity => ({
  bootId: readText('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname(),
  pidNamespace: readlinkSync('/proc/self/ns/pid'),
});

/**
 * Reads one line of /proc/<pid>/stat. The command's name stands in parentheses and may hold anything, parentheses and
 * newlines included, so fields are counted from the last one. Field numbers: proc(5).
 */
export const parseStat = (text: string): ProcessEntry | undefined => {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  if (state === undefined || 'ZXx'.includes(state)) return undefined;
  const field = (number: number): number => Number(fields[number - 3]);
  const entry = {
    pid,
    parent: field(4),
    group: field(5),
    session: field(6),
    startTime: field(22),
    residentBytes: field(24) * pageBytes,
  };
  return Object.values(entry).every(Number.isFinite) ? entry : undefined;
};

/** The live process of that number, or undefined. */
export const readProcess = (pid: number): ProcessEntry | undefined => {
  const text = readText(`/proc/${String(pid)}/stat`);
  return text === undefined ? undefined : parseStat(text);
};

export const isAlive = (identity: ProcessIdentity): boolean =>
  readProcess(identity.pid)?.startTime === identity.startTime;

/** All live processes of this pid namespace. */
export const readProcessTable = (): ProcessEntry[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined);

/** True when the process was started with `variable=value` in its environment. Processes of other users are never. */
export const hasEnvironment = (pid: number, variable: string, value: string): boolean =>
  readText(`/proc/${String(pid)}/environ`)
    ?.split('\0')
    .includes(`${variable}=${value}`) ?? false;

/** Arguments of a process, its program first. */
export const commandLine = (pid: number): readonly string[] =>
  readText(`/proc/${String(pid)}/cmdline`)?.split('\0') ?? [];

/** Memory in bytes that is the process's own share (PSS): what several processes share is divided among them. */
export const proportionalBytes = (entry: ProcessEntry): number => {
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(readText(`/proc/${String(entry.pid)}/smaps_rollup`) ?? '')?.[1];
  return kibibytes === undefined ? entry.residentBytes : Number(kibibytes) * 1024;
};
