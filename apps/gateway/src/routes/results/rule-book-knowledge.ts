import { checkedReading } from '@fleet/advice';
import type { BestFile } from '@fleet/api-views';
import { submittedUses } from '@fleet/commands';
import type { Session } from '@fleet/contracts/sessions';
import { bestFiles, categorise, categoryReasons, excludedFromResult, sessionFiles } from '@fleet/files';
import { checkSettings, type RuleBook } from '@fleet/knowledge-model';
import { assessmentByRules, logSummaryByRules, measuredOn, summaryMarkdown } from '@fleet/session-summary';
import type { AgentKnowledge } from './agent-knowledge';

const bestFilesOf = (session: Session, book: RuleBook): readonly BestFile[] => {
  const { fileCategories, bestFiles: scoring } = book;
  const { isSetAside } = excludedFromResult(session, book);
  const delivered = sessionFiles(session).filter((file) => !isSetAside(file));
  const categorised = categorise(delivered, fileCategories);
  const best = bestFiles({ categorised, cycles: session.cycles, scoring, rules: book });
  return [...best].map(([category, { file, score, stage }]) => ({ category, file, score, stage }));
};

/** The gateway's knowledge, from the rule book for decisions. */
export const ruleBookKnowledge = (book: RuleBook): AgentKnowledge => ({
  programs: Object.keys(book.programs),
  metrics: book.metrics,
  checkSettings: (settings, at) => checkSettings(settings, book.programs, at).problems,
  readAdvice: (text, experiment) => checkedReading(text, book, experiment === undefined ? {} : { experiment }),
  categories: (files) => {
    const reasons = categoryReasons(files, book.fileCategories);
    return files.map((file) => (reasons.get(file) ?? []).map(({ category, why }) => ({ category, why })));
  },
  fileUses: (session) => submittedUses(session, book),
  bestFiles: (session) => bestFilesOf(session, book),
  cyclesOfBest: (session) => measuredOn(session, book).cycles,
  assessment: (session) => assessmentByRules(session, book),
  logSummary: (record) => logSummaryByRules(record, book),
  summary: (session, now) => summaryMarkdown(session, book, now),
});
