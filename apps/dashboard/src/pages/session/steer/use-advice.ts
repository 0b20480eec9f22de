import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { guidanceOf, type SessionView } from '@fleet/contracts/sessions';
import { changeAdvice, isFailure } from '../../../api/calls';
import { useDraft } from '../../../parts/use-draft';
import { steerTexts } from '../../../texts/steer';
import {
  adviceNow,
  draftOf,
  hasArrived,
  isOvertaken,
  momentOf,
  noAdvice,
  type AdviceDraft,
  type Moment,
} from '../../../advice/advice-draft';

/** A draft of advice for a session, and the result of sending it. */
export interface AdviceWork {
  readonly draft: AdviceDraft;
  readonly moment: Moment;
  /** Another user has changed the advice meanwhile. */
  readonly isOvertaken: boolean;
  readonly maySend: boolean;
  readonly isSending: boolean;
  readonly failure: string | undefined;
  /** The result of the last request. */
  readonly sent: string | undefined;
  readonly open: () => void;
  readonly close: () => void;
  readonly change: (advice: string) => void;
  /** Replaces the current advice. */
  readonly send: () => void;
}

/**
 * Edits advice for a session and sends it with the revision that it is based on, so that another user's advice is not
 * overwritten unseen.
 */
export const useAdvice = (session: SessionView): AdviceWork => {
  const { id } = session;
  const queries = useQueryClient();
  const [draft, change] = useDraft<AdviceDraft>(`advice.${id}`, noAdvice);
  const { revision } = guidanceOf(session);
  const moment = momentOf(session);
  const sending = useMutation({
    mutationFn: ({ upon }: { readonly upon: number; readonly at: Moment }) => changeAdvice(id, draft.advice, upon),
    onSuccess: (after) => {
      queries.setQueryData(['session', id], after);
      change(noAdvice);
    },
    // Another user was faster: their advice is shown beside the draft.
    onError: async (error) => {
      if (isFailure(error, 412)) await queries.invalidateQueries({ queryKey: ['session', id] });
    },
  });
  const [arrived, setArrived] = useState<Moment>();
  const isLost = hasArrived(draft, session) && !sending.isPending;
  useEffect(() => {
    if (!isLost) return;
    setArrived(sending.variables?.at ?? 'running');
    sending.reset();
    change(noAdvice);
  }, [isLost]);
  const overtaken = isOvertaken(draft, session);
  const upon = overtaken ? revision : draft.revision;
  const conflict = isFailure(sending.error, 412);
  return {
    draft,
    moment,
    isOvertaken: overtaken,
    maySend: moment !== 'cancelling' && draft.advice !== adviceNow(session),
    isSending: sending.isPending,
    failure: conflict ? undefined : sending.error?.message,
    sent: sending.data === undefined ? arrived && takenText(arrived) : sentTextOf(sending.data, sending.variables),
    open: () => {
      sending.reset();
      setArrived(undefined);
      change(draftOf(session));
    },
    close: () => {
      sending.reset();
      change(noAdvice);
    },
    change: (advice) => change({ advice }),
    send: () => sending.mutate({ upon, at: moment }),
  };
};

const takenText = (at: Moment): string => (at === 'ended' ? steerTexts.sent.ended : steerTexts.sent.running);

/**
 * @param upon the revision that it was based on
 * @param at when it was sent
 */
const sentTextOf = (after: SessionView, { upon, at }: { readonly upon: number; readonly at: Moment }): string => {
  return guidanceOf(after).revision === upon ? steerTexts.sent.same : takenText(at);
};
