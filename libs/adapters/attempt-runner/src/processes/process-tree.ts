import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import {
  hasEnvironment,
  readProcess,
  readProcessTable,
  type ProcessEntry,
  type ProcessIdentity,
} from './process-table';

/** In the environment of everything that a run starts; children inherit it, whatever group they move to. */
export const attemptVariable = 'FLEET_ATTEMPT';

/** Between the polite and the hard signal, in milliseconds. */
export const terminationGraceMs = 5_000;
/** A killed process that is still there after this is stuck in the kernel (a dead file server), in milliseconds. */
const killTimeoutMs = 10_000;
const pollMs = 25;

/** True when a process was started for that run: nothing else puts the run's mark into its environment. Others' processes are never. */
export const isOfRun = ({ pid, startTime }: ProcessIdentity, name: string): boolean =>
  hasEnvironment(pid, attemptVariable, name) && readProcess(pid)?.startTime === startTime;

const key = ({ pid, startTime }: ProcessIdentity): string => `${String(pid)}@${String(startTime)}`;

/**
 * All processes of one run: the program, its group and session, their descendants, what was seen among them before,
 * and whatever carries the run's mark in its environment. A process that clears its environment, leaves its group and
 * outlives its parent between two looks becomes the supervisor's own child, where that adopts orphans (see
 * `adoptingOrphans`); elsewhere it is the one that gets away.
 */
export class ProcessTree {
  private readonly known = new Set<string>();

  constructor(
    /** `attemptName(...)`, the value of the mark. */
    private readonly name: string,
    /** The program itself, once it is known. */
    private readonly program: ProcessIdentity | undefined,
    /** Never a member: the supervisor, which carries the mark too. All its children are members. */
    private readonly exceptPid: number | undefined,
  ) {}

  /** Members that live now. Cheap: looks at no environments. */
  observe(): ProcessEntry[] {
    return this.members(readProcessTable(), () => false);
  }

  /** Members that live now, the escaped ones included. */
  find(): ProcessEntry[] {
    return this.members(readProcessTable(), (entry) => hasEnvironment(entry.pid, attemptVariable, this.name));
  }

  /**
   * Asks all members to end, then kills those that do not; resolves when none is left.
   * @throws Fault `run.processes_stuck` (transient) when a process survives even the kill: a dead file server holds it.
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
    // A supervisor that is the first process of its container: all others there are the run's.
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

  /** A child of the supervisor, or of the program's group or session: these count only while the program itself lives: later the number may be another's. */
  private isOfProgram(entry: ProcessEntry, table: readonly ProcessEntry[]): boolean {
    const { program } = this;
    if (this.exceptPid !== undefined && entry.parent === this.exceptPid) return true;
    if (program === undefined) return false;
    if (entry.pid !== program.pid && entry.group !== program.pid && entry.session !== program.pid) return false;
    return table.some((other) => other.pid === program.pid && other.startTime === program.startTime);
  }
}

/** Sends a signal; a process that has ended meanwhile is what was wanted. */
export const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
};
