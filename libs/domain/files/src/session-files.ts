import type { CycleRecord, Session, SessionFile } from '@fleet/contracts/sessions';

/** A successful cycle. */
export type SucceededCycle = CycleRecord & { readonly result: NonNullable<CycleRecord['result']> };

/** Successful cycles, oldest first. */
export const succeededCycles = (session: Pick<Session, 'cycles'>): readonly SucceededCycle[] =>
  session.cycles.filter((record): record is SucceededCycle => record.result?.outcome === 'success');

/** Possible inputs of programs: the submitted files and the outputs of successful cycles, oldest first, each path once. */
export const sessionFiles = (session: Pick<Session, 'request' | 'cycles'>): readonly SessionFile[] => {
  const all = [...session.request.inputs, ...succeededCycles(session).flatMap((record) => record.result.outputs)];
  return [...new Map(all.map((file) => [file.path, file])).values()];
};
