import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SettingDefinition, Submission, SubmissionReading } from '@fleet/contracts';
import { fetchSettings, readSubmission, submitSession } from '../api/calls';
import { submissionOf, type Draft } from './draft';
import { RepeatKeys } from './repeat-key';
import { useDraft } from './use-draft';
import { useLater } from './use-later';

/** Milliseconds without typing after which everything is looked into: that opens files. */
const lookAfterMs = 700;

/** What somebody is about to submit, and what the gateway makes of it. */
export interface SubmissionWork {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
  readonly definitions: Readonly<Record<string, SettingDefinition>>;
  /** Absent until the gateway has answered; while it is asked again its last answer stays. */
  readonly reading: SubmissionReading | undefined;
  readonly isLooking: boolean;
  /** Whether the gateway would take it exactly as it stands. */
  readonly isRight: boolean;
  readonly isSending: boolean;
  readonly failure: string | undefined;
  readonly send: () => void;
}

const hasFiles = ({ files = [] }: Submission): boolean => files.length > 0;

/** Has a submission read when nothing more is typed. */
const useReading = (
  submission: Submission,
): Pick<SubmissionWork, 'reading' | 'isLooking'> & { readonly isCurrent: boolean; readonly error: Error | null } => {
  const asked = useLater(submission, lookAfterMs);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['reading', asked],
    queryFn: ({ signal }) => readSubmission(asked, signal),
    enabled: hasFiles(asked),
    placeholderData: keepPreviousData,
  });
  const isCurrent = JSON.stringify(asked) === JSON.stringify(submission) && !isPlaceholderData;
  const reading = hasFiles(submission) ? data : undefined;
  return { reading, isLooking: isFetching || !isCurrent, isCurrent, error };
};

/**
 * Writes a submission, has it read while it is written, and sends it.
 * @param place by which what is typed is kept
 * @param initial what it begins with
 */
export const useSubmission = (place: string, initial: Draft): SubmissionWork => {
  const navigate = useNavigate();
  const [draft, change, clear] = useDraft(place, initial);
  const [keys] = useState(() => new RepeatKeys());
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => fetchSettings(signal),
    staleTime: Infinity,
  });
  const definitions = settings.data?.settings ?? {};
  const submission = submissionOf(draft, definitions);
  const { reading, isLooking, isCurrent, error } = useReading(submission);
  const sending = useMutation({
    mutationFn: () => submitSession(submission, keys.of(submission)),
    onSuccess: async ({ id }) => {
      clear();
      await navigate({ to: '/sessions/$id', params: { id }, search: {} });
    },
  });
  const failure = sending.error ?? error ?? settings.error;
  return {
    draft,
    change,
    definitions,
    reading,
    isLooking,
    isRight: isCurrent && reading?.problems.length === 0,
    isSending: sending.isPending,
    failure: failure?.message,
    send: () => {
      sending.mutate();
    },
  };
};
