import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SettingDefinition } from '@fleet/contracts/service';
import type { Submission } from '@fleet/contracts/sessions';
import type { SubmissionReading } from '@fleet/contracts/submissions';
import { api, fetchSettings, submitSession } from '../../api/calls';
import { submissionOf, type Draft } from './draft';
import { RepeatKeys } from './repeat-key';
import { useDraft } from '../../parts/use-draft';
import { useLater } from '../../parts/use-later';

/** Milliseconds after the last keystroke until the preview is requested, which opens files. */
const readDelayMs = 700;

/** A draft of a submission, and its preview. */
export interface SubmissionWork {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
  readonly definitions: Readonly<Record<string, SettingDefinition>>;
  /** Absent until the first response; the last one stays during a request. */
  readonly reading: SubmissionReading | undefined;
  readonly isReading: boolean;
  /** Whether the gateway would accept the current draft. */
  readonly isRight: boolean;
  readonly isSending: boolean;
  readonly failure: string | undefined;
  readonly send: () => void;
}

const hasFiles = ({ files = [] }: Submission): boolean => files.length > 0;

/** Requests the preview after a pause in typing. */
const useReading = (
  submission: Submission,
): Pick<SubmissionWork, 'reading' | 'isReading'> & { readonly isCurrent: boolean; readonly error: Error | null } => {
  const settledSubmission = useLater(submission, readDelayMs);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['reading', settledSubmission],
    queryFn: ({ signal }) => api.json('POST /v1/submissions/preview', { body: settledSubmission }, { signal }),
    enabled: hasFiles(settledSubmission),
    placeholderData: keepPreviousData,
  });
  const isCurrent = JSON.stringify(settledSubmission) === JSON.stringify(submission) && !isPlaceholderData;
  const reading = hasFiles(submission) ? data : undefined;
  return { reading, isReading: isFetching || !isCurrent, isCurrent, error };
};

/**
 * Edits a submission, previews it, and sends it.
 * @param draftName key of the draft
 * @param initial its initial content
 */
export const useSubmission = (draftName: string, initial: Draft): SubmissionWork => {
  const navigate = useNavigate();
  const [draft, change, clear] = useDraft(draftName, initial);
  const [keys] = useState(() => new RepeatKeys());
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => fetchSettings(signal),
    staleTime: Infinity,
  });
  const definitions = settings.data?.settings ?? {};
  const submission = submissionOf(draft, definitions);
  const { reading, isReading, isCurrent, error } = useReading(submission);
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
    isReading,
    isRight: isCurrent && reading?.problems.length === 0,
    isSending: sending.isPending,
    failure: failure?.message,
    send: () => sending.mutate(),
  };
};
