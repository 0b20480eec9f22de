import {
  assessmentParts,
  assessmentTitles,
  type AssessmentPart,
  type AssessmentPartName,
} from '@fleet/contracts/results';
import { isEnded, type Session, type SessionFit, type SessionOutcome } from '@fleet/contracts/sessions';
import { succeededCycles } from '@fleet/files';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  adviceText,
  counted,
  experimentOf,
  explainedOutcome,
  guidanceSentences,
  isSimulated,
  metricLabel,
  metricText,
  plainLine,
} from '@fleet/session-report';
import { dataNumbers, resultNumbers, type JudgedNumber } from './judged-numbers';
import { measuredOn } from './measured-on';
import { bestResult } from './summary-best';
import { resolutionOf } from './summary-facts';
import { experimentNames } from './summary-input';
import { workflowPath } from './summary-steps';

/** Maximum length of a quotation of the submitter or a program; the record has the whole. */
const longestQuote = 300;
const mostSentences = 10;
const mostFailures = 5;

const shortened = (text: string): string => {
  const line = plainLine(text.trim());
  return line.length > longestQuote ? `${line.slice(0, longestQuote)} …` : line;
};

const numberText = ({ label, text, word }: JudgedNumber): string =>
  `${label} ${text}${word === undefined ? '' : ` (${word})`}`;
const numbersText = (numbers: readonly JudgedNumber[]): string => numbers.map(numberText).join(', ');
const poorOf = (numbers: readonly JudgedNumber[]): readonly JudgedNumber[] =>
  numbers.filter(({ word }) => word === 'needs improvement');

/** The input of all parts. */
interface Assessed {
  readonly session: Session;
  readonly ruleBook: RuleBook;
  readonly data: readonly JudgedNumber[];
  readonly result: readonly JudgedNumber[];
  readonly hasModel: boolean;
  /** The last cycle that validated the model. */
  readonly validated: number | undefined;
}

const assessedOf = (session: Session, ruleBook: RuleBook): Assessed => {
  const measured = measuredOn(session, ruleBook);
  const hasModel = bestResult(session, ruleBook) !== undefined;
  const validations = measured.cycles.filter(
    ({ decision }) => ruleBook.programs[decision.program]?.group === 'validation',
  );
  return {
    session,
    ruleBook,
    data: dataNumbers(session, ruleBook),
    result: resultNumbers(session, ruleBook, measured),
    hasModel,
    validated: hasModel ? validations.at(-1)?.cycle : undefined,
  };
};

const inputQuality = ({ session, ruleBook, data }: Assessed): readonly string[] => {
  const resolution = resolutionOf(session, ruleBook.programs);
  const at = resolution === undefined ? 'at an unknown resolution' : `at ${resolution.toFixed(2)} Å`;
  const poor = poorOf(data);
  return [
    `${experimentNames[experimentOf(session)]} ${at}.`,
    data.length === 0 ? 'No program has analysed the data.' : `The analysis found: ${numbersText(data)}.`,
    ...(poor.length === 0 ? [] : [`Worse than usual: ${poor.map(({ label }) => label).join(', ')}.`]),
  ];
};

const goalAndStrategy = ({ session }: Assessed): readonly string[] => {
  const { guidance, cycles } = session;
  const advice = adviceText(session);
  return [
    advice === 'none'
      ? 'No particular goal was requested: the best structure that the data allow.'
      : `Asked for: ${shortened(advice)}`,
    ...(guidance === undefined ? [] : guidanceSentences(guidance).slice(0, mostSentences).map(shortened)),
    cycles.length === 0 ? 'Nothing was run.' : `The way: ${workflowPath(cycles)}.`,
  ];
};

const fitText = ({ metric, value }: SessionFit, { metrics }: RuleBook): string =>
  `${metricLabel(metric, metrics)} ${metricText(metric, value, metrics)}`;

/** The trend of the result's metric. */
const progress = ({ session, ruleBook }: Assessed): readonly string[] => {
  const fits = session.cycles.flatMap(({ cycle, result }) =>
    result?.fit === undefined ? [] : [{ cycle, fit: result.fit }],
  );
  const last = fits.at(-1);
  const first = fits.find(({ fit }) => fit.metric === last?.fit.metric);
  if (first === undefined || last === undefined || first === last) return [];
  return [
    `The fit went from ${fitText(first.fit, ruleBook)} in cycle ${first.cycle} to ${fitText(last.fit, ruleBook)} in cycle ${last.cycle}.`,
  ];
};

const failures = ({ cycles }: Session): readonly string[] =>
  cycles
    .flatMap(({ cycle, decision, result }) =>
      result?.outcome === 'failed' ? [`Cycle ${cycle} (${decision.program}) failed: ${shortened(result.summary)}`] : [],
    )
    .slice(-mostFailures);

const strategyAssessment = (assessed: Assessed): readonly string[] => {
  const { session } = assessed;
  const { cycles, stop } = session;
  const outcome = explainedOutcome(session);
  const worked = succeededCycles(session).length;
  return [
    ...(cycles.length === 0 ? [] : [`${String(worked)} of ${counted(cycles.length, 'cycle')} succeeded.`]),
    ...failures(session),
    ...progress(assessed),
    ...(outcome === undefined ? ['The session has not ended, so its outcome is unknown.'] : [outcome.sentence]),
    ...(stop === undefined ? [] : [`It ended: ${shortened(stop.detail)}`]),
  ];
};

const unsolved = (outcome: SessionOutcome): string => {
  if (outcome === 'goal_reached') return 'only what was requested is done';
  return outcome === 'unfinished'
    ? 'the result is not as good as the data allow'
    : 'nothing says that the structure is solved';
};

/** Objections to depositing the model, as far as rules can detect them. */
const obstacles = ({ session, result, hasModel, validated }: Assessed): readonly string[] => {
  const outcome = explainedOutcome(session)?.word;
  return [
    ...(session.cycles.some(isSimulated) ? ['programs were simulated, and their numbers mean nothing'] : []),
    ...(isEnded(session.status) ? [] : ['the session has not ended']),
    ...(outcome === undefined || outcome === 'solved' ? [] : [unsolved(outcome)]),
    ...(hasModel ? [] : ['there is no model that a program has made']),
    ...(hasModel && validated === undefined ? ['the model is not validated'] : []),
    ...poorOf(result).map(({ label, text }) => `${label} ${text} needs improvement`),
  ];
};

const currentStatus = (assessed: Assessed): readonly string[] => {
  const { session, result, validated } = assessed;
  const against = obstacles(assessed);
  return [
    `The session is ${session.status}.`,
    result.length === 0 ? 'Nothing was measured on its result.' : `Its result: ${numbersText(result)}.`,
    ...(validated === undefined ? [] : [`It was validated in cycle ${String(validated)}.`]),
    against.length === 0
      ? 'The rules see nothing that speaks against a deposition; the depositor must still inspect model and map.'
      : `Not ready for deposition: ${against.join('; ')}.`,
  ];
};

const nextSteps = ({ session, data, result, hasModel, validated }: Assessed): readonly string[] => {
  const outcome = explainedOutcome(session);
  const poor = poorOf(result);
  return [
    outcome?.next ?? 'Wait for the end of the session.',
    ...(poor.length === 0 ? [] : [`Look after: ${poor.map(({ label }) => label).join(', ')}.`]),
    ...(hasModel && validated === undefined && outcome !== undefined ? ['Let the model be validated.'] : []),
    ...(poorOf(data).length === 0 ? [] : ['Better data would help more than other programs.']),
  ];
};

const sentencesOf: Readonly<Record<AssessmentPartName, (assessed: Assessed) => readonly string[]>> = {
  input_quality: inputQuality,
  goal_and_strategy: goalAndStrategy,
  strategy_assessment: strategyAssessment,
  current_status: currentStatus,
  next_steps: nextSteps,
};

/** The five parts of an assessment (phenix-agent.md#summary) by the rules: only from the record, also for a running session. */
export const assessmentByRules = (session: Session, ruleBook: RuleBook): readonly AssessmentPart[] => {
  const assessed = assessedOf(session, ruleBook);
  return assessmentParts.map((part) => ({
    part,
    title: assessmentTitles[part],
    text: sentencesOf[part](assessed).map(plainLine).join(' '),
  }));
};
