import type { Session } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { explainedOutcome, forkText, isSimulated, markdownCell } from '@fleet/session-report';
import { dataQualitySection, inputSection } from './summary-input';
import { outputSection, qualitySection } from './summary-results';
import { pathSection, stepsSection, timingSection } from './summary-steps';

const simulatedMark = (session: Session): readonly string[] => {
  const cycles = session.cycles.filter(isSimulated);
  if (cycles.length === 0) return [];
  const list = cycles.map(({ cycle, decision }) => `${cycle} (${decision.program})`).join(', ');
  return [
    '',
    `> **SIMULATED**: cycle ${list} was a scripted stand-in. Its numbers, and all that follow from them, mean nothing.`,
  ];
};

/** The origin of a fork's first cycles. */
const originLine = ({ request }: Session): readonly string[] => {
  const from = forkText(request);
  return from === undefined
    ? []
    : ['', `Forked from session ${from}: its cycles up to there, and their files, are those of that session.`];
};

const endSection = (session: Session): readonly string[] => {
  const { stop, status } = session;
  const reason = stop === undefined ? `The session is ${status}.` : `${markdownCell(stop.detail)} (${stop.reason})`;
  const outcome = explainedOutcome(session);
  const result = outcome === undefined ? [] : [`Outcome: **${outcome.word}**. ${outcome.sentence} ${outcome.next}`, ''];
  return ['## How it ended', '', ...result, reason];
};

/**
 * The summary of a session as Markdown (phenix-agent.md#summary), without a model's judgement: input, data quality, path, steps, final
 * quality, output files, timing, and how it ended. Also for a running session.
 * @param now milliseconds since the epoch, for the duration of a running session
 */
export const summaryMarkdown = (session: Session, ruleBook: RuleBook, now?: number): string => {
  const title = session.request.title.trim() === '' ? session.id : session.request.title;
  const sections = [
    [
      `# ${markdownCell(title)}`,
      '',
      `Session ${session.id}: **${session.status}**`,
      ...originLine(session),
      ...simulatedMark(session),
    ],
    inputSection(session, ruleBook),
    dataQualitySection(session, ruleBook),
    pathSection(session),
    stepsSection(session, ruleBook),
    qualitySection(session, ruleBook),
    outputSection(session, ruleBook),
    timingSection(session, now),
    endSection(session),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};
