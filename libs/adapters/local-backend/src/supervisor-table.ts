import { basename } from 'node:path';
import { commandLine, foldersOf, isOfRun, readProcessTable, sendSignal, whatIs } from '@fleet/attempt-runner';
import type { RunLocation } from '@fleet/ports';

/** A supervisor on this computer, and the running folder that it was started for. */
interface ListedSupervisor {
  readonly pid: number;
  /** In clock ticks since boot. */
  readonly startTime: number;
  /** Absolute; the folder may be missing by now. */
  readonly folder: string;
}

/** The supervisors on this computer according to the process table at one moment, whichever executor started them. */
export class SupervisorTable {
  private constructor(private readonly listed: readonly ListedSupervisor[]) {}

  /** @param script of supervisors; only its file name counts, because a supervisor may be from another release */
  static read(workRoot: string, script: string): SupervisorTable {
    const listed = readProcessTable().flatMap(({ pid, startTime }) => {
      const [, started, ...rest] = commandLine(pid);
      const folder = rest[rest.indexOf('--') + 1];
      const isOne = started !== undefined && basename(started) === basename(script);
      return isOne && folder?.startsWith(`${workRoot}/`) === true ? [{ pid, startTime, folder }] : [];
    });
    return new SupervisorTable(listed);
  }

  /** Folders of running attempts; a published one is about to end. */
  runningFolders(): readonly string[] {
    // Between fork and exec a program looks like its supervisor.
    return [...new Set(this.listed.map(({ folder }) => folder))].filter((folder) => whatIs(folder) === 'folder');
  }

  has(run: RunLocation): boolean {
    return this.of(run).length > 0;
  }

  /** Ends only the supervisor of a run; the caller records the result. */
  kill(run: RunLocation): void {
    for (const { pid } of this.of(run)) sendSignal(pid, 'SIGKILL');
  }

  /**
   * Any process can have such arguments, so the run's mark is checked too, which is readable only for our own
   * processes.
   */
  private of(run: RunLocation): readonly ListedSupervisor[] {
    const { running } = foldersOf(run);
    return this.listed.filter((one) => one.folder === running && isOfRun(one, run.name));
  }
}
