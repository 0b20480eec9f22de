import type { KeptAssessment, KeptLogSummary } from '@fleet/contracts/results';
import { assessByModels, summariseByModels, type Planner } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import type { Assessments, Clock, LogSummaries, ModelWishes, SessionFolderPort, SessionRecords } from '@fleet/ports';
import { Logger } from '@nestjs/common';
import type { SitePlanner } from '../decide/site-planner';
import { logExcerpt } from './log-excerpt';
import { WishDesk } from './wish-desk';
import { wishWriter, type WishWriter } from './wish-writer';

export type WishDeskDependencies = readonly [
  ModelWishes,
  Assessments,
  LogSummaries,
  Pick<SessionRecords, 'load'>,
  Pick<SessionFolderPort, 'logPath'>,
  Clock,
  RuleBook,
  Pick<SitePlanner, 'assessor' | 'summariser'>,
];

const assessing = (planner: Planner, writings: Assessments, clock: Clock): WishWriter => {
  const assess = assessByModels(planner);
  return wishWriter<KeptAssessment>({
    writings,
    clock,
    make: (session, { number }) => assess(session, number),
    unmade: ({ status, version }, _wish, failed) => ({ status, version, ...failed }),
  });
};

/** The log of the attempt that produced the cycle's result. */
const summarising = (
  planner: Planner,
  writings: LogSummaries,
  folder: Pick<SessionFolderPort, 'logPath'>,
  clock: Clock,
): WishWriter => {
  const summarise = summariseByModels(planner);
  return wishWriter<KeptLogSummary>({
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
export const makeWishDesk = (
  ...[wishes, assessments, logSummaries, records, folder, clock, ruleBook, site]: WishDeskDependencies
): WishDesk => {
  const [assessor, summariser] = [site.assessor(ruleBook), site.summariser(ruleBook)];
  return new WishDesk({
    wishes,
    records,
    log: new Logger('Wishes'),
    assessments: assessor && assessing(assessor, assessments, clock),
    logSummaries: summariser && summarising(summariser, logSummaries, folder, clock),
  });
};
