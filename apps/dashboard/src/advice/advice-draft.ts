import { guidanceOf, isEnded, type SessionView } from '@fleet/contracts/sessions';

/** A draft of advice, and the revision that it is based on; 0: no draft. */
export interface AdviceDraft {
  readonly isOpen: boolean;
  readonly revision: number;
  readonly advice: string;
}

export const noAdvice: AdviceDraft = { isOpen: false, revision: 0, advice: '' };

type Advised = Parameters<typeof guidanceOf>[0];

/** The current advice in words. */
export const adviceNow = (session: Advised): string =>
  guidanceOf(session)
    .sources.map(({ text }) => text)
    .join('\n\n');

/** A draft that begins with the current advice. */
export const draftOf = (session: Advised): AdviceDraft => ({
  isOpen: true,
  revision: guidanceOf(session).revision,
  advice: adviceNow(session),
});

const isOfAnotherRevision = (draft: AdviceDraft, session: Advised): boolean =>
  draft.isOpen && guidanceOf(session).revision !== draft.revision;

const isCurrentAdvice = (draft: AdviceDraft, session: Advised): boolean =>
  draft.advice.trim() === adviceNow(session).trim();

/** Whether the draft has become the advice: it was sent, and only the response was lost. */
export const hasArrived = (draft: AdviceDraft, session: Advised): boolean =>
  isOfAnotherRevision(draft, session) && isCurrentAdvice(draft, session);

/** Whether another user has changed the advice since the draft was begun. */
export const isOvertaken = (draft: AdviceDraft, session: Advised): boolean =>
  isOfAnotherRevision(draft, session) && !isCurrentAdvice(draft, session);

/** The state of the session when advice is sent. */
export type Moment = 'running' | 'cancelling' | 'ended';

export const momentOf = ({ status }: Pick<SessionView, 'status'>): Moment => {
  if (status === 'cancelling') return 'cancelling';
  return isEnded(status) ? 'ended' : 'running';
};
