import type { Metric, Session } from '@fleet/contracts/sessions';
import { givenResolution, metricValue } from '@fleet/contracts/sessions';
import { succeededCycles, type SucceededCycle } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';

/** A metric as last measured, with its cycle. */
export const lastMetric = (
  cycles: readonly SucceededCycle[],
  name: string,
): { readonly value: Metric['value']; readonly cycle: number; readonly program: string } | undefined => {
  for (const { cycle, decision, result } of cycles.toReversed()) {
    const metric = result.metrics.find((candidate) => candidate.name === name);
    if (metric !== undefined) return { value: metric.value, cycle, program: decision.program };
  }
  return undefined;
};

/** Cycles that analysed only the data. */
export const dataAnalyses = (
  session: Pick<Session, 'cycles'>,
  programs: RuleBook['programs'],
): readonly SucceededCycle[] =>
  succeededCycles(session).filter(({ decision }) => programs[decision.program]?.measures_data !== undefined);

/** Resolution in Å: from the submitter, otherwise from the analysis, otherwise from the data files. */
export const resolutionOf = (
  session: Pick<Session, 'request' | 'cycles' | 'guidance'>,
  programs: RuleBook['programs'],
): number | undefined => {
  const { inputs } = session.request;
  const given = givenResolution(session);
  if (given !== undefined) return given;
  const found = dataAnalyses(session, programs).map(({ result }) => metricValue(result, 'resolution'));
  const files = inputs.map(({ facts }) => facts.mtz?.highResolution);
  return [...found, ...files].find((value) => value !== undefined && value > 0);
};
