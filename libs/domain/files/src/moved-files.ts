import type { CycleRecord, SessionFile } from '@fleet/contracts/sessions';

type MovePath = (path: string) => string;

/** Replaces a folder in absolute paths; other paths stay. */
const movingPath =
  (from: string, to: string): MovePath =>
  (path) =>
    path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;

/** Files with their paths after a folder was moved. */
export const movedFiles = (files: readonly SessionFile[], from: string, to: string): readonly SessionFile[] => {
  const moved = movingPath(from, to);
  return files.map((file) => ({ ...file, path: moved(file.path) }));
};

const movedCycle = (record: CycleRecord, from: string, to: string): CycleRecord => {
  const { decision, result } = record;
  const moved = movingPath(from, to);
  return {
    ...record,
    decision: {
      ...decision,
      argv: decision.argv.map((token) => token.replaceAll(`${from}/`, `${to}/`)),
      inputs: decision.inputs.map((input) => ({ ...input, path: moved(input.path) })),
    },
    ...(result !== undefined && { result: { ...result, outputs: movedFiles(result.outputs, from, to) } }),
  };
};

/** Cycles with the moved paths of their files and commands. Texts stay unchanged. */
export const movedCycles = (cycles: readonly CycleRecord[], from: string, to: string): readonly CycleRecord[] =>
  cycles.map((record) => movedCycle(record, from, to));
