import { attemptFiles, attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import type { CycleRecord, FilePin, Session, SessionFile } from '@fleet/contracts/sessions';
import { movedCycles, movedFiles } from './moved-files';

/** What a fork has of the session that it was forked from. */
type ForkedWork = Pick<Session, 'cycles'> & { readonly inputs: readonly SessionFile[] };

const upTo = ({ cycles }: Session, afterCycle: number): readonly CycleRecord[] =>
  cycles.filter(({ cycle }) => cycle <= afterCycle);

/**
 * What cycles have made or worked with. A resume may have added what the session itself had made: where that was later than these cycles, the
 * fork has it where it is, as it has every submitted file.
 */
const pathsOf = (cycles: readonly CycleRecord[]): ReadonlySet<string> =>
  new Set(
    cycles.flatMap(({ decision, result }) => [...decision.inputs, ...(result?.outputs ?? [])].map(({ path }) => path)),
  );

/**
 * The submitted files and the first cycles of a session, as they read in the folder of its fork.
 * @param pins of files that are other ones there, by their path there
 */
export const forkedWork = (
  parent: Session,
  afterCycle: number,
  folder: string,
  pins: ReadonlyMap<string, FilePin>,
): ForkedWork => {
  const pinned = (file: SessionFile): SessionFile => {
    const pin = pins.get(file.path);
    return pin === undefined ? file : { ...file, pin };
  };
  const done = upTo(parent, afterCycle);
  const known = pathsOf(done);
  const moved = movedFiles(parent.request.inputs, parent.folder, folder).map(pinned);
  return {
    inputs: parent.request.inputs.map((file, at) => (known.has(file.path) ? (moved[at] ?? file) : file)),
    cycles: movedCycles(done, parent.folder, folder).map(({ result, ...record }) => ({
      ...record,
      ...(result !== undefined && { result: { ...result, outputs: result.outputs.map(pinned) } }),
    })),
  };
};

/** A file of a session that its fork is to have, too. */
export interface CarriedFile {
  /** Absolute, below the folder of the session that has it. */
  readonly path: string;
  /** What it was when it was accepted; absent in records of older releases, and of logs. */
  readonly pin?: FilePin;
  /** A log that is gone is missed by no program. */
  readonly isLog: boolean;
}

const logsOf = (folder: string, { cycle, decision, attempts }: CycleRecord): readonly CarriedFile[] =>
  attempts.map(({ attempt }) => ({
    path: `${folder}/${attemptFolder(cycleFolder(cycle, decision.program), attempt)}/${attemptFiles.log}`,
    isLog: true,
  }));

/** The files in the folder of a session that its first cycles name, each once: what programs have made, and their logs. */
export const carriedFiles = (session: Session, afterCycle: number): readonly CarriedFile[] => {
  const { request, folder } = session;
  const done = upTo(session, afterCycle);
  const known = pathsOf(done);
  const inputs = request.inputs.filter(({ path }) => known.has(path));
  const named = [...inputs, ...done.flatMap(({ result }) => result?.outputs ?? [])]
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ path, pin }) => ({ path, isLog: false, ...(pin !== undefined && { pin }) }));
  const files = [...named, ...done.flatMap((record) => logsOf(folder, record))];
  return [...new Map(files.map((file) => [file.path, file])).values()];
};
