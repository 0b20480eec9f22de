import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import {
  hasEnvironment,
  readProcess,
  readProcessTable,
  type ProcessEntry,
  type ProcessIdentity,
} from './process-table';

/** Set in the environment of everything that a run starts; children inherit it in any process group. */
export const attemptVariable = 'FLEET_ATTEMPT';

/** Between SIGTERM and SIGKILL, in milliseconds. */
export const terminationGraceMs = 5_000;
/** A killed process that still exists after this time is stuck in the kernel (a dead file server), in milliseconds. */
const killTimeoutMs = 10_000;
const pollMs = 25;

/**
 * Whether a process was started for that run, by the mark in its environment. Always false for processes of other
 * users.
 */
export const isOfRun = ({ pid, startTime }: ProcessIdentity, name: string): boolean =>
  hasEnvironment(pid, attemptVariable, name) && readProcess(pid)?.startTime === startTime;

const key = ({ pid, startTime }: ProcessIdentity): string => `${String(pid)}@${String(startTime)}`;

/**
 * All processes of one run: the program, its group and session, their descendants, members seen before, and every
 * process with the run's mark in its environment. A process that clears its environment, leaves its group and outlives
 * its parent between two scans becomes a child of the supervisor, if that is a subreaper (see `adoptingOrphans`).
 * Otherwise it escapes.
 */
export class ProcessTree {
  private readonly known = new Set<string>();

  constructor(
    /** `attemptName(...)`, the value of the mark. */
    private readonly name: string,
    /** The program itself, once known. */
    private readonly program: ProcessIdentity | undefined,
    /** Never a member: the supervisor, which also carries the mark. All its children are members. */
    private readonly exceptPid: number | undefined,
  ) {}

  /** Live members. Cheap: reads no environments. */
  observe(): ProcessEntry[] {
    return this.members(readProcessTable(), () => false);
  }

  /** Live members, including escaped ones. */
  find(): ProcessEntry[] {
    return this.members(readProcessTable(), (entry) => hasEnvironment(entry.pid, attemptVariable, this.name));
  }

  /**
   * Sends SIGTERM to all members, then SIGKILL to the remaining ones; resolves when none is left.
   * @throws Fault `run.processes_stuck` (transient) if a process survives SIGKILL because a dead file server holds it
   */
  async end(graceMs: number = terminationGraceMs): Promise<void> {
    if (await this.signalUntilGone('SIGTERM', graceMs)) return;
    if (await this.signalUntilGone('SIGKILL', killTimeoutMs)) return;
    const left = this.find().map(({ pid }) => String(pid));
    const what = `processes of ${this.name} cannot be ended: ${left.join(', ')}`;
    throw new Fault('run.processes_stuck', 'transient', what);
  }

  private async signalUntilGone(signal: 'SIGTERM' | 'SIGKILL', timeoutMs: number): Promise<boolean> {
    const signalled = new Set<string>();
    const until = performance.now() + timeoutMs;
    for (;;) {
      const members = this.find();
      if (members.length === 0) return true;
      for (const member of members.filter((entry) => !signalled.has(key(entry)))) {
        signalled.add(key(member));
        sendSignal(member.pid, signal);
      }
      if (performance.now() >= until) return false;
      await sleep(pollMs);
    }
  }

  private members(table: readonly ProcessEntry[], marked: (entry: ProcessEntry) => boolean): ProcessEntry[] {
    const inside = new Map<number, ProcessEntry>();
    const candidates = table.filter((entry) => entry.pid !== this.exceptPid);
    // A supervisor that is the first process of its container: all other processes there belong to the run.
    const all = this.exceptPid === 1;
    for (const entry of candidates) {
      if (all || this.known.has(key(entry)) || this.isOfProgram(entry, table) || marked(entry))
        inside.set(entry.pid, entry);
    }
    for (let grew = inside.size > 0; grew;) {
      const children = candidates.filter((entry) => inside.has(entry.parent) && !inside.has(entry.pid));
      for (const child of children) inside.set(child.pid, child);
      grew = children.length > 0;
    }
    for (const entry of inside.values()) this.known.add(key(entry));
    return [...inside.values()];
  }

  /**
   * A child of the supervisor, or of the program's group or session. These count only while the program lives: later
   * its number may be reused.
   */
  private isOfProgram(entry: ProcessEntry, table: readonly ProcessEntry[]): boolean {
    const { program } = this;
    if (this.exceptPid !== undefined && entry.parent === this.exceptPid) return true;
    if (program === undefined) return false;
    if (entry.pid !== program.pid && entry.group !== program.pid && entry.session !== program.pid) return false;
    return table.some((other) => other.pid === program.pid && other.startTime === program.startTime);
  }
}

/** Sends a signal; a process that has ended meanwhile is not an error. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
};
