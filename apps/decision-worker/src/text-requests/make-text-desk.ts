import type { StoredAssessment, StoredLogSummary } from '@fleet/contracts/results';
import { assessByModels, summariseByModels, type Planner } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import type { Assessments, Clock, LogSummaries, TextRequests, SessionFolderPort, SessionRecords } from '@fleet/ports';
import { Logger } from '@nestjs/common';
import type { SitePlanner } from '../decide/site-planner';
import { logExcerpt } from './log-excerpt';
import { TextDesk } from './text-desk';
import { textWriter, type TextWriter } from './text-writer';

export interface TextDeskDependencies {
  readonly requests: TextRequests;
  readonly assessments: Assessments;
  readonly logSummaries: LogSummaries;
  readonly records: Pick<SessionRecords, 'load'>;
  readonly folder: Pick<SessionFolderPort, 'logPath'>;
  readonly clock: Clock;
  readonly ruleBook: RuleBook;
  readonly site: Pick<SitePlanner, 'assessor' | 'summariser'>;
}

const assessing = (planner: Planner, writings: Assessments, clock: Clock): TextWriter => {
  const assess = assessByModels(planner);
  return textWriter<StoredAssessment>({
    writings,
    clock,
    make: (session, { number }) => assess(session, number),
    unmade: ({ status, version }, _request, failed) => ({ status, version, ...failed }),
  });
};

/** The log of the attempt that produced the cycle's result. */
const summarising = (
  planner: Planner,
  writings: LogSummaries,
  folder: Pick<SessionFolderPort, 'logPath'>,
  clock: Clock,
): TextWriter => {
  const summarise = summariseByModels(planner);
  return textWriter<StoredLogSummary>({
    writings,
    clock,
    make: async (session, { number, cycle }) => {
      const record = session.cycles.find((one) => one.cycle === cycle);
      const attempt = record?.attempts.at(-1)?.attempt;
      if (record?.result === undefined || attempt === undefined) return undefined;
      const log = await logExcerpt(session.folder, folder.logPath(session, record, attempt));
      return summarise(session, record, number, log);
    },
    unmade: (_session, { cycle = 0 }, failed) => ({ cycle, ...failed }),
  });
};

/** Answers text requests to models, beside the steps. */
export const makeTextDesk = (dependencies: TextDeskDependencies): TextDesk => {
  const { requests, assessments, logSummaries, records, folder, clock, ruleBook, site } = dependencies;
  const [assessor, summariser] = [site.assessor(ruleBook), site.summariser(ruleBook)];
  return new TextDesk({
    requests,
    records,
    log: new Logger('TextRequests'),
    assessments: assessor && assessing(assessor, assessments, clock),
    logSummaries: summariser && summarising(summariser, logSummaries, folder, clock),
  });
};
