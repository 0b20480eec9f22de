import type { CycleRecord, Session, SessionFile } from '@fleet/contracts/sessions';

/** A cycle whose program did its work. */
export type SucceededCycle = CycleRecord & { readonly result: NonNullable<CycleRecord['result']> };

/** Cycles whose program did its work, oldest first. */
export const succeededCycles = (session: Pick<Session, 'cycles'>): readonly SucceededCycle[] =>
  session.cycles.filter((record): record is SucceededCycle => record.result?.outcome === 'success');

/** What programs may be given: the submitted files and the outputs of cycles that succeeded, oldest first, each path once. */
export const sessionFiles = (session: Pick<Session, 'request' | 'cycles'>): readonly SessionFile[] => {
  const all = [...session.request.inputs, ...succeededCycles(session).flatMap((record) => record.result.outputs)];
  return [...new Map(all.map((file) => [file.path, file])).values()];
};
