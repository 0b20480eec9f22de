import type { Metric, Session } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { experimentOf, metricLabel, metricText, qualityWord, type QualityWord } from '@fleet/session-report';
import { judged, measuredOn, type MeasuredOn } from './measured-on';
import { dataAnalyses, lastMetric, resolutionOf } from './summary-facts';

/** A metric of a session for people, with its rating at the session's resolution. */
export interface JudgedNumber {
  readonly name: string;
  readonly label: string;
  /** With its decimals and unit. */
  readonly text: string;
  /** Absent if there is no rating. */
  readonly word?: QualityWord;
  /** The cycle that measured it. */
  readonly cycle: number;
  readonly program: string;
}

type Found = { readonly value: Metric['value']; readonly cycle: number; readonly program: string };

const judgedNumber = (
  name: string,
  { value, cycle, program }: Found,
  resolution: number | undefined,
  { metrics }: Pick<RuleBook, 'metrics'>,
): JudgedNumber => {
  const definition = metrics[name];
  const word =
    typeof value === 'number' && definition !== undefined ? qualityWord(value, definition, resolution) : undefined;
  return {
    name,
    label: metricLabel(name, metrics),
    text: metricText(name, value, metrics),
    ...(word !== undefined && { word }),
    cycle,
    program,
  };
};

/** Metrics of the data from the analysis programs. */
export const dataNumbers = (session: Session, ruleBook: RuleBook): readonly JudgedNumber[] => {
  const cycles = dataAnalyses(session, ruleBook.programs);
  const resolution = resolutionOf(session, ruleBook.programs);
  return ruleBook.summary.data_quality.flatMap((name) => {
    const found = lastMetric(cycles, name);
    return found === undefined ? [] : [judgedNumber(name, found, resolution, ruleBook)];
  });
};

/** The metrics of the session's result, each as last measured by a relevant program. */
export const resultNumbers = (
  session: Session,
  ruleBook: RuleBook,
  { cycles }: Pick<MeasuredOn, 'cycles'> = measuredOn(session, ruleBook),
): readonly JudgedNumber[] => {
  const resolution = resolutionOf(session, ruleBook.programs);
  return ruleBook.summary.quality[experimentOf(session)].flatMap((name) => {
    const found = judged(cycles, name, ruleBook.programs);
    return found === undefined ? [] : [judgedNumber(name, found, resolution, ruleBook)];
  });
};
