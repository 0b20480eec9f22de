import { adviceInForce, type AdviceReading, type Guidance, type GuidedSession } from '@fleet/contracts';
import { plainLine } from './plain-text';

/** The submitter's words that count now. */
export const adviceText = (session: GuidedSession): string => {
  const advice = adviceInForce(session);
  if (advice.trim() === '') return 'none';
  return session.guidance === undefined ? `${advice} (kept by an older release, which did not read it)` : advice;
};

const quoted = ({ words, why }: { readonly words: string; readonly why: string }): string =>
  `“${plainLine(words)}”: ${why}`;

const stepByStep = 'Predictions are processed and placed step by step.';

/** What was understood of a text, one sentence each. */
const understoodOf = ({ understood, stopsNow, stepByStep: inSteps }: AdviceReading): readonly string[] => [
  ...understood.map(({ says }) => says),
  ...(stopsNow ? ['A running session ends after its cycle.'] : []),
  ...(inSteps ? [stepByStep] : []),
];

/** Which file of a folder was read, for nobody has named it. */
const readFrom = ({ from, file = '', text, cut }: Guidance['sources'][number]): readonly string[] => {
  if (from !== 'readme') return [];
  const part = cut === true ? `; only its first ${String(text.length)} characters` : '';
  return [`${plainLine(file)} of the folder was read as advice${part}.`];
};

/** What is understood, contradicts itself, is overruled and is not followed: one sentence each. */
export const guidanceSentences = ({
  sources,
  reading,
  overruled,
}: Pick<Guidance, 'sources' | 'reading' | 'overruled'>): readonly string[] => [
  ...sources.flatMap(readFrom),
  ...understoodOf(reading),
  ...reading.conflicts,
  ...overruled,
  ...reading.notFollowed.map((one) => `Not followed: ${quoted(one)}.`),
  ...reading.removed.map((one) => `Not read: ${quoted(one)}.`),
];

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** A reading for people, with the words that each wish was read from. */
export const readingLines = (reading: AdviceReading): readonly string[] => {
  const { understood, conflicts, notFollowed, removed } = reading;
  const said = [
    ...understood.map(({ says, words }) => `${says}  (“${plainLine(words)}”)`),
    ...understoodOf({ ...reading, understood: [] }),
  ];
  return [
    said.length === 0 ? 'Nothing was understood: a session with this advice runs as one without.' : 'Understood',
    ...said.map((line) => `  ${line}`),
    ...section('Contradictions', conflicts),
    ...section('Not followed', notFollowed.map(quoted)),
    ...section('Not read', removed.map(quoted)),
  ];
};
