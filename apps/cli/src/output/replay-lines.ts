import type { Replay, ReplayedCycle } from '@fleet/contracts/results';
import { plainLine } from '@fleet/session-report';
import type { Paint } from '../terminal';
import { tableLines } from './table';

/** Displayed characters of a digest. */
const shortDigest = 12;

const whyOf = ({ rule, reason }: ReplayedCycle): string =>
  [rule, reason].filter((text) => text !== undefined).join(': ');

const row = (one: ReplayedCycle): readonly string[] => [
  String(one.cycle),
  one.result,
  one.recorded.program,
  one.replayed === undefined || one.result === 'same' ? '' : one.replayed.program,
  whyOf(one),
];

/** How many decisions are the same, differ or are undetermined. */
export const countsText = ({ same, differs, undetermined }: Replay['counts']): string =>
  `${String(same)} same, ${String(differs)} differ, ${String(undetermined)} undetermined`;

export const knowledgeText = (digest: string): string => digest.slice(0, shortDigest);

/** A replayed session as text: one line for each decision. */
export const replayLines = ({ id, release, knowledge, counts, cycles }: Replay, paint: Paint): readonly string[] => [
  paint('bold', plainLine(`${id}  ${countsText(counts)} (knowledge ${knowledgeText(knowledge)}, release ${release})`)),
  ...tableLines([['CYCLE', 'RESULT', 'RECORDED', 'REPLAYED', 'RULE AND REASON'], ...cycles.map(row)]),
];
