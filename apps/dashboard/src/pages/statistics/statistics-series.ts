import { sessionOutcomes, type SessionOutcome } from '@fleet/contracts/sessions';
import type { StatisticsGroup, StatisticsGrouping } from '@fleet/contracts/statistics';
import { statisticsKeyText } from '@fleet/session-report';
import { rowKinds } from '../../format/row-kinds';
import { durationText } from '../../format/durations';
import { stateTexts } from '../../texts/states';
import { statisticsTexts } from '../../texts/statistics';
import { monthAfter } from './statistics-search';

/** A part of each bar. */
interface Series {
  readonly label: string;
  /** CSS custom property. */
  readonly colour: string;
  /** Height of the part in each group. */
  readonly values: readonly number[];
  /** The value of each group as text. */
  readonly texts: readonly string[];
}

/** Stacked bars, one per group. */
export interface Bars {
  readonly by: StatisticsGrouping;
  /** Of sessions, percent, seconds or hours. */
  readonly unit: 'sessions' | 'percent' | 'seconds' | 'hours';
  readonly labels: readonly string[];
  readonly series: readonly Series[];
}

const isOutcome = (kind: string): kind is SessionOutcome => sessionOutcomes.some((outcome) => outcome === kind);

/** Counted outcomes, in the order of every page. */
const countedKinds = rowKinds.filter((kind): kind is CountedKind => kind === 'running' || isOutcome(kind));
export type CountedKind = SessionOutcome | 'running';

export const countOf = ({ unended, outcomes }: StatisticsGroup, kind: CountedKind): number =>
  kind === 'running' ? unended : outcomes[kind];

/** Those that occur. */
export const kindsOf = (groups: readonly StatisticsGroup[]): readonly CountedKind[] =>
  countedKinds.filter((kind) => groups.some((group) => countOf(group, kind) > 0));

export const endedOf = ({ sessions, unended }: StatisticsGroup): number => sessions - unended;

const emptyGroup = (key: string): StatisticsGroup => ({
  key,
  sessions: 0,
  unended: 0,
  outcomes: Object.fromEntries(sessionOutcomes.map((outcome) => [outcome, 0])) as StatisticsGroup['outcomes'],
  coreHours: 0,
  gpuHours: 0,
});

/** Adds the months without submissions, because a time axis has no gaps. */
export const withEmptyMonths = (groups: readonly StatisticsGroup[]): readonly StatisticsGroup[] =>
  groups.flatMap((group, at) => {
    const next = groups[at + 1]?.key ?? '';
    const months = [group];
    for (let key = monthAfter(group.key); key < next; key = monthAfter(key)) months.push(emptyGroup(key));
    return months;
  });

const labelsOf = (by: StatisticsGrouping, groups: readonly StatisticsGroup[]): readonly string[] =>
  groups.map(({ key }) => statisticsKeyText(by, key));

/** Sessions of each group by outcome. */
export const outcomeBars = (by: StatisticsGrouping, groups: readonly StatisticsGroup[]): Bars => ({
  by,
  unit: 'sessions',
  labels: labelsOf(by, groups),
  series: kindsOf(groups).map((kind) => ({
    label: stateTexts[kind].label,
    colour: `--kind-${kind}`,
    values: groups.map((group) => countOf(group, kind)),
    texts: groups.map((group) => String(countOf(group, kind))),
  })),
});

/** Outcomes in percent of the ended sessions of each group, with their number in its label. */
export const shareBars = (by: StatisticsGrouping, groups: readonly StatisticsGroup[]): Bars => {
  const ended = groups.filter((group) => endedOf(group) > 0);
  const shareOf = (group: StatisticsGroup, kind: CountedKind): number => (100 * countOf(group, kind)) / endedOf(group);
  return {
    by,
    unit: 'percent',
    labels: ended.map((group) => `${statisticsKeyText(by, group.key)}\nn ${String(endedOf(group))}`),
    series: kindsOf(ended)
      .filter((kind) => kind !== 'running')
      .map((kind) => ({
        label: stateTexts[kind].label,
        colour: `--kind-${kind}`,
        values: ended.map((group) => shareOf(group, kind)),
        texts: ended.map((group) => `${shareOf(group, kind).toFixed(0)} % (${String(countOf(group, kind))})`),
      })),
  };
};

/** Time in seconds that half and 95 % of the sessions of each group took at most; the second part is what p95 is above p50. */
export const timeBars = (
  by: StatisticsGrouping,
  groups: readonly StatisticsGroup[],
  figure: 'toFirstRFree' | 'toEnd',
): Bars => ({
  by,
  unit: 'seconds',
  labels: labelsOf(by, groups),
  series: groups.every(({ [figure]: spread }) => spread === undefined)
    ? []
    : (['p50', 'p95'] as const).map((share) => ({
        label: statisticsTexts[share],
        colour: `--plot-${share}`,
        values: groups.map(({ [figure]: spread }) =>
          spread === undefined ? 0 : spread[share] - (share === 'p95' ? spread.p50 : 0),
        ),
        texts: groups.map(({ [figure]: spread }) => spreadText(spread?.[share])),
      })),
});

/** Seconds as text. */
export const spreadText = (seconds: number | undefined): string =>
  seconds === undefined ? '–' : durationText(seconds * 1000) || '0 s';

/** Hours of each group. */
export const hourBars = (
  by: StatisticsGrouping,
  groups: readonly StatisticsGroup[],
  figure: 'coreHours' | 'gpuHours',
): Bars => ({
  by,
  unit: 'hours',
  labels: labelsOf(by, groups),
  series: groups.every(({ [figure]: hours }) => hours === 0)
    ? []
    : [
        {
          label: statisticsTexts[figure],
          colour: '--plot-p50',
          values: groups.map((group) => group[figure]),
          texts: groups.map((group) => hoursText(group[figure])),
        },
      ],
});

/** Hours as text: `12.3`, from a hundred on without a fraction. */
export const hoursText = (hours: number): string => hours.toFixed(hours < 100 ? 1 : 0);
