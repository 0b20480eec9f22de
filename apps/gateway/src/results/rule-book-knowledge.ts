import type { Session } from '@fleet/contracts';
import { bestFiles, categorise, sessionFiles } from '@fleet/files';
import { checkSettings, type RuleBook } from '@fleet/knowledge-model';
import { bestResult, summaryMarkdown } from '@fleet/session-report';
import type { AgentKnowledge, BestFile } from './agent-knowledge';

const bestFilesOf = (session: Session, { fileCategories, bestFiles: scoring }: RuleBook): readonly BestFile[] => {
  const categorised = categorise(sessionFiles(session), fileCategories);
  const best = bestFiles({ categorised, cycles: session.cycles, scoring });
  return [...best].map(([category, { file, score, stage }]) => ({ category, file, score, stage }));
};

/** The gateway's knowledge, from the rule book that the decisions are made with. */
export const ruleBookKnowledge = (book: RuleBook): AgentKnowledge => ({
  programs: Object.keys(book.programs),
  metrics: book.metrics,
  checkSettings: (settings, at) => checkSettings(settings, book.programs, at).problems,
  bestFiles: (session) => bestFilesOf(session, book),
  cyclesOfBest: (session) => {
    const best = bestResult(session, book);
    return best === undefined ? undefined : new Set(best.cycles.map(({ cycle }) => cycle));
  },
  summary: (session) => summaryMarkdown(session, book),
});
