import { attemptFiles, attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import type { CycleRecord, FilePin, Session, SessionFile } from '@fleet/contracts/sessions';
import { movedCycles, movedFiles } from './moved-files';

/** The part of a session that a fork begins with. */
type ForkedWork = Pick<Session, 'cycles'> & { readonly inputs: readonly SessionFile[] };

const upTo = ({ cycles }: Session, afterCycle: number): readonly CycleRecord[] =>
  cycles.filter(({ cycle }) => cycle <= afterCycle);

/**
 * Paths of files that cycles made or used. A resume may have added outputs of the session itself: those of later cycles stay at their path,
 * like every submitted file.
 */
const pathsOf = (cycles: readonly CycleRecord[]): ReadonlySet<string> =>
  new Set(
    cycles.flatMap(({ decision, result }) => [...decision.inputs, ...(result?.outputs ?? [])].map(({ path }) => path)),
  );

/**
 * The submitted files and the first cycles of a session, with the paths in the folder of its fork.
 * @param pins of changed files, by their new path
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

/** A file of a session that its fork needs too. */
export interface CarriedFile {
  /** Absolute, below the original session's folder. */
  readonly path: string;
  /** Its identity when it was accepted; absent in records of older releases, and for logs. */
  readonly pin?: FilePin;
  /** No program needs a missing log. */
  readonly isLog: boolean;
}

const logsOf = (folder: string, { cycle, decision, attempts }: CycleRecord): readonly CarriedFile[] =>
  attempts.map(({ attempt }) => ({
    path: `${folder}/${attemptFolder(cycleFolder(cycle, decision.program), attempt)}/${attemptFiles.log}`,
    isLog: true,
  }));

/** Files in the folder of a session that its first cycles name, each once: outputs and logs. */
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
