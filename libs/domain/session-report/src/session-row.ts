import {
  analysedCycles,
  givenResolution,
  isEnded,
  metricValue,
  type CycleRecord,
  type CycleResult,
  type RowProgress,
  type Session,
  type SessionHead,
  type SessionRow,
  type SessionStop,
} from '@fleet/contracts/sessions';
import { hermannMauguin } from '@fleet/symmetry';
import { experimentOf } from './experiment-of';
import { outcomeOf } from './outcome';
import { waitingDecisionText } from './waiting-decision-text';

/** The immutable part of a row, from the request. */
export type RowLabels = Pick<
  SessionRow,
  'title' | 'sample' | 'proposal' | 'beamline' | 'submitter' | 'batch' | 'forkedFrom'
>;

/** Maximum length of a reason in a row: rows are small, and the record has the whole reason. */
const longestReason = 160;

/** Maximum number of fit values in a row. */
const mostFits = 12;

/** The row of a session in a list. Pure and cheap: computed at every transition. */
export const rowOf = (session: Session): SessionRow =>
  composedRow(headOf(session), labelsOf(session), session.stop, progressOf(session));

/** The same from parts that a store keeps separately. */
export const composedRow = (
  head: SessionHead,
  labels: RowLabels,
  stop: SessionStop | undefined,
  { waiting: program, decision, programs: _programs, experiment: _experiment, ...progress }: RowProgress,
): SessionRow => {
  const waiting = waitingText(head, program, decision);
  const outcome = outcomeOf({ status: head.status, stop, fit: progress.fit });
  return {
    ...head,
    ...labels,
    ...progress,
    ...(waiting !== undefined && { waiting }),
    ...(outcome !== undefined && { outcome }),
    ...(stop !== undefined && { stopReason: stop.reason }),
    ...(stop?.detail !== undefined && { stopDetail: shortened(stop.detail) }),
    ...(isEnded(head.status) && { endedAt: head.updatedAt }),
  };
};

/** The waiting decision of a session in the store; one of an earlier position of the session is ignored. */
export const waitingDecisionOf = (
  { status, stage }: Pick<SessionHead, 'status' | 'stage'>,
  decision: RowProgress['decision'],
): RowProgress['decision'] => (status === 'running' && stage === 'deciding' ? decision : undefined);

const waitingText = (
  head: SessionHead,
  program: RowProgress['waiting'],
  decision: RowProgress['decision'],
): string | undefined => {
  if (head.status === 'running' && head.stage === 'executing') return program;
  const waits = waitingDecisionOf(head, decision);
  return waits === undefined ? undefined : shortened(waitingDecisionText(waits));
};

export const labelsOf = ({ request }: Pick<Session, 'request'>): RowLabels => {
  const { title, sample, proposal, beamline, submitter, batch, forkedFrom: from } = request;
  return {
    title,
    ...(sample !== undefined && { sample }),
    proposal,
    beamline,
    submitter,
    ...(batch !== undefined && { batch }),
    ...(from !== undefined && { forkedFrom: { session: from.session, afterCycle: from.afterCycle } }),
  };
};

export const progressOf = (session: Pick<Session, 'request' | 'cycles' | 'guidance' | 'waiting'>): RowProgress => {
  const { program, waiting } = lastCycleOf(session);
  const { fit, ligand } = lastResultOf(session);
  const resolution = fit?.resolution ?? resolutionOf(session);
  const spaceGroup = spaceGroupOf(session);
  return {
    ...(program !== undefined && { program }),
    ...(resolution !== undefined && { resolution }),
    ...(spaceGroup !== undefined && { spaceGroup }),
    ...fitPart(session, fit),
    ...(ligand !== undefined && { ligand }),
    maxCycles: session.request.settings.max_cycles,
    ...(waiting !== undefined && { waiting: shortened(waiting) }),
    ...(session.waiting !== undefined && { decision: session.waiting }),
    programs: programsOf(session),
    experiment: experimentOf(session),
  };
};

/** Programs that were started, each once, in order. */
const programsOf = ({ cycles }: Pick<Session, 'cycles'>): readonly string[] => [
  ...new Set(cycles.filter(({ attempts }) => attempts.length > 0).map(({ decision }) => decision.program)),
];

/** Results of the last analysis about the session as a whole. */
const lastResultOf = (session: Pick<Session, 'cycles'>): Pick<CycleResult, 'fit' | 'ligand'> =>
  analysedCycles(session).at(-1)?.result ?? {};

/** The fit, and its values in successful cycles, to four decimals. */
const fitPart = ({ cycles }: Pick<Session, 'cycles'>, fit: RowProgress['fit']): Pick<RowProgress, 'fit' | 'fits'> => {
  if (fit === undefined) return {};
  const fits = cycles
    .flatMap(({ result }) => (result?.outcome === 'success' ? (metricValue(result, fit.metric) ?? []) : []))
    .slice(-mostFits)
    .map((value) => Math.round(value * 10_000) / 10_000);
  return fits.length > 1 ? { fit, fits } : { fit };
};

const lastCycleOf = ({ cycles }: Pick<Session, 'cycles'>): Pick<SessionRow, 'program' | 'waiting'> => {
  const last = cycles.at(-1);
  if (last === undefined) return {};
  const { decision, waiting } = last;
  return { program: decision.program, ...(waiting !== undefined && { waiting: waiting.reason }) };
};

/** The record without its cycles and the original submission. */
export const headOf = (session: SessionHead & Pick<Session, 'guidance'>): SessionHead => {
  const { id, status, stage, cycle, attempt, version, wakeUps, folder, createdAt, updatedAt } = session;
  const advised = session.guidance?.revision ?? 1;
  const head = { id, status, stage, cycle, attempt, version, wakeUps, folder, createdAt, updatedAt };
  return advised > 1 ? { ...head, advised } : head;
};

/** Å: from the submitter, otherwise as first measured, otherwise from the data's header. */
const resolutionOf = (session: Pick<Session, 'request' | 'cycles' | 'guidance'>): number | undefined => {
  const { request, cycles } = session;
  const given = givenResolution(session);
  if (given !== undefined) return given;
  for (const { result } of cycles) {
    const measured = metricValue(result, 'resolution');
    if (measured !== undefined) return measured;
  }
  return request.inputs.map(({ facts }) => facts.mtz?.highResolution ?? 0).find((resolution) => resolution > 0);
};

/** In one notation, whatever that of its source. */
const spaceGroupOf = (session: Pick<Session, 'request' | 'cycles'>): string | undefined => {
  const named = namedGroupOf(session);
  return named === undefined ? undefined : (hermannMauguin(named) ?? named);
};

/** Of the last model, otherwise from the analysis, otherwise from the data; the box of a map has none. */
const namedGroupOf = ({ request, cycles }: Pick<Session, 'request' | 'cycles'>): string | undefined => {
  if (cycles.at(-1)?.decision.experimentType === 'cryoem') return undefined;
  for (let position = cycles.length - 1; position >= 0; position -= 1) {
    const found = spaceGroupFrom(cycles[position]);
    if (found !== undefined) return found;
  }
  return request.inputs.find(({ facts }) => facts.mtz !== undefined && facts.spaceGroup !== undefined)?.facts
    .spaceGroup;
};

const spaceGroupFrom = (record: CycleRecord | undefined): string | undefined => {
  const result = record?.result;
  if (result?.outcome !== 'success') return undefined;
  const model = result.outputs.find(({ facts }) => facts.model?.predicted === false && facts.spaceGroup !== undefined);
  const measured = result.metrics.find(({ name }) => name === 'space_group')?.value;
  return model?.facts.spaceGroup ?? (typeof measured === 'string' ? measured : undefined);
};

const shortened = (text: string): string =>
  text.length <= longestReason ? text : `${text.slice(0, longestReason - 1)}…`;
