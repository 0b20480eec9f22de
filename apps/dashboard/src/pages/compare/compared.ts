import { analysedCycles, type CycleRecord, type SessionView } from '@fleet/contracts/sessions';
import {
  adviceText,
  commandText,
  metricText,
  plainLine,
  plainLines,
  rowOf,
  type MetricDefinitions,
} from '@fleet/session-report';
import { runtimeText } from '../../format/times';
import { compareTexts } from '../../texts/compare';

/** A fact of both sides; empty if one has none. */
export interface ComparedRow {
  readonly name: string;
  readonly values: readonly [string, string];
  /** Data, settings and guidance differ; results nearly always differ, and are not marked. */
  readonly differs: boolean;
}

const rowOfValues = (name: string, [left, right]: readonly string[]): ComparedRow => {
  const values = [left ?? '', right ?? ''] as const;
  return { name, values, differs: values[0] !== values[1] };
};

const fitText = (session: SessionView, definitions: MetricDefinitions): string => {
  const fit = analysedCycles(session).at(-1)?.result.fit;
  if (fit === undefined) return '';
  const work = fit.rWork === undefined ? '' : `${metricText('r_work', fit.rWork, definitions)} / `;
  return `${work}${metricText(fit.metric, fit.value, definitions)}`;
};

const baseName = (path: string): string => plainLine(path.split('/').at(-1) ?? path);

const settingText = (value: unknown): string =>
  value === undefined ? '' : plainLine(typeof value === 'string' ? value : JSON.stringify(value));

const settingRows = (sides: readonly [SessionView, SessionView]): readonly ComparedRow[] => {
  const settings = sides.map(({ request }) => Object.entries(request.settings));
  const [left = {}, right = {}] = settings.map((entries): Readonly<Record<string, unknown>> =>
    Object.fromEntries(entries),
  );
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .map((name) => rowOfValues(compareTexts.facts.setting(name), [left[name], right[name]].map(settingText)))
    .filter(({ differs }) => differs);
};

/** Facts and outcomes of two sessions, and the settings that differ. @param now milliseconds since 1970 */
export const comparedFacts = (
  sides: readonly [SessionView, SessionView],
  definitions: MetricDefinitions,
  now: number,
): readonly ComparedRow[] => {
  const { facts } = compareTexts;
  const given = (name: string, text: (session: SessionView) => string): ComparedRow =>
    rowOfValues(name, sides.map(text));
  const result = (name: string, text: (session: SessionView) => string): ComparedRow => ({
    ...given(name, text),
    differs: false,
  });
  return [
    result(facts.why, ({ stop }) => (stop === undefined ? '' : plainLines(stop.detail))),
    result(facts.fit, (session) => fitText(session, definitions)),
    result(facts.cycles, ({ cycles }) => String(cycles.length)),
    result(facts.runtime, (session) => runtimeText(session.createdAt, rowOf(session).endedAt, now)),
    given(facts.resolution, (session) => {
      const { resolution } = rowOf(session);
      return resolution === undefined ? '' : metricText('resolution', resolution, definitions);
    }),
    given(facts.spaceGroup, (session) => plainLine(rowOf(session).spaceGroup ?? '')),
    given(facts.files, ({ request }) => request.inputs.map(({ path }) => baseName(path)).join(', ')),
    given(facts.asked, (session) => (session.guidance === undefined ? '' : plainLines(adviceText(session)))),
    ...settingRows(sides),
  ].filter(({ values }) => values.some((value) => value !== ''));
};

/** A word of a command, and whether the other command has it too. */
export interface ComparedWord {
  readonly text: string;
  readonly differs: boolean;
}

/** Paths of a session's files are relative to its folder, because two sessions never share one. */
const wordsOf = ({ folder }: SessionView, { decision }: CycleRecord): readonly string[] =>
  decision.argv.map((word) => plainLine(word.replaceAll(`${folder}/`, '')));

/** The command of a cycle, with marks on words that the other one lacks. */
export const comparedCommand = (
  session: SessionView,
  cycle: CycleRecord,
  other: { readonly session: SessionView; readonly cycle: CycleRecord } | undefined,
): readonly ComparedWord[] => {
  const known = new Set(other === undefined ? [] : wordsOf(other.session, other.cycle));
  return wordsOf(session, cycle).map((word) => ({
    text: commandText([word]),
    differs: other !== undefined && !known.has(word),
  }));
};

/** The cycles of both sides by number, from 1 to the last of either. */
export const cyclePairs = ([left, right]: readonly [SessionView, SessionView]): readonly {
  readonly number: number;
  readonly cycles: readonly [CycleRecord | undefined, CycleRecord | undefined];
}[] => {
  const find = ({ cycles }: SessionView, number: number): CycleRecord | undefined =>
    cycles.find(({ cycle }) => cycle === number);
  const last = Math.max(0, ...[left, right].flatMap(({ cycles }) => cycles.map(({ cycle }) => cycle)));
  return Array.from({ length: last }, (_, at) => ({
    number: at + 1,
    cycles: [find(left, at + 1), find(right, at + 1)] as const,
  }));
};
