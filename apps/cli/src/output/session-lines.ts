import type { QueueStatus } from '@fleet/contracts/launches';
import type { SessionRetention } from '@fleet/contracts/retention';
import { ligandText, metricValue, type CycleRecord, type Session } from '@fleet/contracts/sessions';
import {
  adviceText,
  durationText,
  explainedOutcome,
  forkText,
  formatCycle,
  guidanceSentences,
  isSimulated,
  metricLabel,
  metricText,
  metricTrend,
  plainLine,
  programTime,
  retentionSentences,
  queueStatusText,
  waitingDecisionText,
  type MetricDefinitions,
} from '@fleet/session-report';
import type { Paint } from '../terminal';
import { tableLines } from './table';

/** Metrics of a one-line cycle, if the program printed them. */
const shortMetrics = ['r_work', 'r_free', 'map_cc', 'clashscore', 'tfz', 'ligand_cc'];

const trendOf = (session: Session, record: CycleRecord, name: string, definitions: MetricDefinitions): string => {
  const now = metricValue(record.result, name);
  const earlier = session.cycles.filter((other) => other.cycle < record.cycle);
  const before = earlier.map(({ result }) => metricValue(result, name)).findLast((value) => value !== undefined);
  const definition = definitions[name];
  if (now === undefined || before === undefined || definition === undefined) return '';
  const trend = metricTrend(before, now, definition);
  return trend === undefined ? '' : ` ${trend.arrow}`;
};

const metricsOf = (session: Session, record: CycleRecord, definitions: MetricDefinitions): string =>
  (record.result?.metrics ?? [])
    .filter(({ name }) => shortMetrics.includes(name))
    .map(({ name, value }) => {
      const text = `${metricLabel(name, definitions)} ${metricText(name, value, definitions)}`;
      return `${text}${trendOf(session, record, name, definitions)}`;
    })
    .join(', ');

const outcomeOf = ({ attempts, waiting, result }: CycleRecord): string => {
  if (result !== undefined) return result.outcome;
  if (waiting !== undefined) return 'waiting';
  return attempts.length === 0 ? 'decided' : 'running';
};

const cycleRow = (session: Session, record: CycleRecord, { definitions, now }: SessionShow): readonly string[] => [
  `  ${String(record.cycle)}`,
  record.decision.program + (isSimulated(record) ? ' [SIMULATED]' : ''),
  outcomeOf(record),
  durationText(programTime(record, now)),
  metricsOf(session, record, definitions) || plainLine(record.result?.summary ?? record.waiting?.reason ?? ''),
];

const field = (name: string, value: string): string => `${`${name}:`.padEnd(12)}${plainLine(value)}`;

/** Input for showing a session. */
interface SessionShow {
  readonly detail: boolean;
  readonly definitions: MetricDefinitions;
  readonly paint: Paint;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Its retention; absent: not requested. */
  readonly retention?: SessionRetention;
  /** Queue position of its program, if it waits for a slot. */
  readonly queueStatus?: QueueStatus;
}

/** The advice in plain words, and how it was read. */
const adviceLines = (session: Session): readonly string[] => {
  const advice = adviceText(session);
  const sentences = session.guidance === undefined ? [] : guidanceSentences(session.guidance);
  return [
    ...(advice === 'none' ? [] : [field('advice', advice)]),
    ...sentences.map((sentence) => field('read', sentence)),
  ];
};

/** What it waits for: a slot for its program, or a language model. */
const waitLines = ({ waiting }: Session, { queueStatus, now }: SessionShow): readonly string[] => [
  ...(queueStatus === undefined ? [] : [field('waits', queueStatusText(queueStatus, now))]),
  ...(waiting === undefined ? [] : [field('waits', waitingDecisionText(waiting))]),
];

/** Its files, and its ligands without one. */
const submittedLines = ({ request: { inputs, ligands = [] } }: Session): readonly string[] => [
  ...inputs.map((file) => field('input', file.path)),
  ...ligands.map((ligand) => field('ligand', ligandText(ligand))),
];

/** Its retention. */
const retentionLines = ({ retention }: SessionShow): readonly string[] =>
  retention === undefined ? [] : retentionSentences(retention).map((sentence) => field('kept', sentence));

/** A session as text: its state, what each cycle did, why it ended. */
export const sessionLines = (session: Session, view: SessionShow): readonly string[] => {
  const { request, stop } = session;
  const where = session.status === 'running' ? ` (cycle ${String(session.cycle)}, ${session.stage})` : '';
  const outcome = explainedOutcome(session);
  const from = forkText(request);
  const ended = [
    ...(outcome === undefined ? [] : [field('outcome', `${outcome.word}. ${outcome.sentence}`)]),
    ...(stop === undefined ? [] : [field('why', `${stop.detail} (${stop.reason})`)]),
    ...(outcome === undefined ? [] : [field('next', outcome.next)]),
  ];
  const cycles = view.detail
    ? session.cycles.flatMap((record) => [
        '',
        ...formatCycle(record, view.definitions, { folder: session.folder, now: view.now }),
      ])
    : tableLines(session.cycles.map((record) => cycleRow(session, record, view)));
  return [
    view.paint('bold', plainLine(`${session.id}  ${request.title}`)),
    field('status', `${session.status}${where}`),
    ...ended,
    ...waitLines(session, view),
    ...(request.priority === 'standard' ? [] : [field('priority', request.priority)]),
    ...(from === undefined ? [] : [field('forked', `from ${from}`)]),
    field('proposal', request.proposal),
    ...(request.beamline === '' ? [] : [field('beamline', request.beamline)]),
    ...adviceLines(session),
    ...submittedLines(session),
    field('folder', session.folder),
    ...retentionLines(view),
    ...(cycles.length === 0 ? [] : ['', ...cycles]),
  ];
};
