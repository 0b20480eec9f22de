import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process even if its number is reused: `startTime` is in clock ticks since boot. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: number;
}

/** One line of the process table. Zombies are left out: they no longer run. */
export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Resident memory in bytes; shared pages count in each process. */
  readonly residentBytes: number;
}

/** The kernel and pid namespace that a pid belongs to; pids of another one mean nothing here. */
export interface HostIdentity {
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** Of an unknown process. */
export const unknownHost: HostIdentity = { bootId: '', pidNamespace: '' };
export const isUnknownHost = ({ bootId }: HostIdentity): boolean => bootId === '';

/** Page size in bytes on every Linux that Node is built for with 4 KiB pages; `statm` and `stat` count in pages. */
const pageBytes = 4096;

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // A process may end between two reads, and those of other users are unreadable: both count as missing.
    return undefined;
  }
};

/** If a sandbox hides the kernel's identity, the host name identifies it: a cluster gives it to one pod only. */
export const hostIdentity = (): HostIdentity => ({
  bootId: readText('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname(),
  pidNamespace: readlinkSync('/proc/self/ns/pid'),
});

/**
 * Parses one line of /proc/<pid>/stat. The command's name is in parentheses and may contain parentheses and newlines,
 * so fields are counted from the last parenthesis. Field numbers: proc(5).
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

/**
 * Whether the process was started with `variable=value` in its environment. Always false for processes of other users.
 */
export const hasEnvironment = (pid: number, variable: string, value: string): boolean =>
  readText(`/proc/${String(pid)}/environ`)
    ?.split('\0')
    .includes(`${variable}=${value}`) ?? false;

/** Arguments of a process, its program first. */
export const commandLine = (pid: number): readonly string[] =>
  readText(`/proc/${String(pid)}/cmdline`)?.split('\0') ?? [];

/** Memory in bytes as proportional set size (PSS): shared pages are divided among their processes. */
export const proportionalBytes = (entry: ProcessEntry): number => {
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(readText(`/proc/${String(entry.pid)}/smaps_rollup`) ?? '')?.[1];
  return kibibytes === undefined ? entry.residentBytes : Number(kibibytes) * 1024;
};
