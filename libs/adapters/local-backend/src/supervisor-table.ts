import { basename } from 'node:path';
import { commandLine, foldersOf, isOfRun, readProcessTable, sendSignal, whatIs } from '@fleet/attempt-runner';
import type { RunLocation } from '@fleet/ports';

/** A supervisor of this computer, and the running folder that it was started for. */
interface ListedSupervisor {
  readonly pid: number;
  /** In clock ticks since boot. */
  readonly startTime: number;
  /** Absolute; there may be no such folder any more. */
  readonly folder: string;
}

/** The supervisors of this computer, as the process table has them at one moment: the truth, whoever started them and however often executors restarted. */
export class SupervisorTable {
  private constructor(private readonly listed: readonly ListedSupervisor[]) {}

  /** @param script of supervisors; its name alone counts, for one may be of another release */
  static read(workRoot: string, script: string): SupervisorTable {
    const listed = readProcessTable().flatMap(({ pid, startTime }) => {
      const [, started, ...rest] = commandLine(pid);
      const folder = rest[rest.indexOf('--') + 1];
      const isOne = started !== undefined && basename(started) === basename(script);
      return isOne && folder?.startsWith(`${workRoot}/`) === true ? [{ pid, startTime, folder }] : [];
    });
    return new SupervisorTable(listed);
  }

  /** Folders of what runs; one that is published is only about to end. */
  runningFolders(): readonly string[] {
    // Between its fork and its start a program looks like its supervisor.
    return [...new Set(this.listed.map(({ folder }) => folder))].filter((folder) => whatIs(folder) === 'folder');
  }

  has(run: RunLocation): boolean {
    return this.of(run).length > 0;
  }

  /** Ends the supervisor of a run and nothing else of it; what it would have recorded is for the caller. */
  kill(run: RunLocation): void {
    for (const { pid } of this.of(run)) sendSignal(pid, 'SIGKILL');
  }

  /** Anybody can give a process such arguments; the run's mark is read of our own processes alone. */
  private of(run: RunLocation): readonly ListedSupervisor[] {
    const { running } = foldersOf(run);
    return this.listed.filter((one) => one.folder === running && isOfRun(one, run.name));
  }
}
