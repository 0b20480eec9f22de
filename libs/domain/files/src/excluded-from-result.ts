import type { GuidedSession, Session, SessionFile } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { ligandEvidence } from './ligand-evidence';
import { searchPlan } from './search/search-plan';

/** Cycles and files that are not part of the result: ligands without evidence, and rejected placements. */
export interface Excluded {
  readonly cycles: ReadonlySet<number>;
  readonly isSetAside: (file: SessionFile) => boolean;
}

/** Cycles and files that are not part of the session's current result. */
export const excludedFromResult = (session: GuidedSession & Pick<Session, 'cycles'>, book: RuleBook): Excluded => {
  const ligands = ligandEvidence(session, book.ligandEvidence);
  const placements = searchPlan(session, book, { canSearch: false, canRebuild: false });
  return {
    cycles: new Set([...ligands.excludedFromResult, ...placements.setAside]),
    isSetAside: (file) => ligands.isSetAside(file) || placements.isSetAside(file),
  };
};
