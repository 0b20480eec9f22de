import { guidanceOf, isEnded, type SessionView } from '@fleet/contracts/sessions';

/** Advice that somebody writes, and the revision that it is written upon; 0: nothing is being written. */
export interface AdviceDraft {
  readonly isOpen: boolean;
  readonly revision: number;
  readonly advice: string;
}

export const noAdvice: AdviceDraft = { isOpen: false, revision: 0, advice: '' };

type Advised = Parameters<typeof guidanceOf>[0];

/** What is asked for in words now. */
export const adviceNow = (session: Advised): string =>
  guidanceOf(session)
    .sources.map(({ text }) => text)
    .join('\n\n');

/** Begins with what is asked for already. */
export const draftOf = (session: Advised): AdviceDraft => ({
  isOpen: true,
  revision: guidanceOf(session).revision,
  advice: adviceNow(session),
});

const isOfAnotherRevision = (draft: AdviceDraft, session: Advised): boolean =>
  draft.isOpen && guidanceOf(session).revision !== draft.revision;

const isCurrentAdvice = (draft: AdviceDraft, session: Advised): boolean =>
  draft.advice.trim() === adviceNow(session).trim();

/** Whether what is written has become the advice: it was sent, and only the answer was lost. */
export const hasArrived = (draft: AdviceDraft, session: Advised): boolean =>
  isOfAnotherRevision(draft, session) && isCurrentAdvice(draft, session);

/** Whether somebody else has changed the advice since this was begun. */
export const isOvertaken = (draft: AdviceDraft, session: Advised): boolean =>
  isOfAnotherRevision(draft, session) && !isCurrentAdvice(draft, session);

/** The outcome of advice that is sent now. */
export type Moment = 'running' | 'cancelling' | 'ended';

export const momentOf = ({ status }: Pick<SessionView, 'status'>): Moment => {
  if (status === 'cancelling') return 'cancelling';
  return isEnded(status) ? 'ended' : 'running';
};
