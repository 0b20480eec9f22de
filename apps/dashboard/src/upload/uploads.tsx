import { Stack, Text } from '@mantine/core';
import { useRef, useState, type ReactElement } from 'react';
import type { UploadRules } from '@fleet/contracts/uploads';
import { plainLine } from '@fleet/session-report';
import { bytesText } from '@fleet/session-report';
import { SubmitFailure } from '../parts/submit-failure';
import { uploadTexts } from '../texts/upload';
import { FilePick } from './file-pick';
import { UploadRow } from './upload-row';
import { useUploads } from './use-uploads';

const words = uploadTexts;

/** Why a file cannot be uploaded at all. */
const problemOf = ({ name, size }: File, most: number): string | undefined => {
  if (size === 0) return words.empty(plainLine(name));
  return size > most ? words.tooLarge(plainLine(name), bytesText(size), bytesText(most)) : undefined;
};

/** Uploads local files to the gateway's machine, and picks them when they have arrived. */
export const Uploads = ({
  place,
  proposal,
  rules,
  onComplete,
}: {
  /** Key of the submission's draft. */
  readonly place: string;
  readonly proposal: string;
  readonly rules: UploadRules;
  readonly onComplete: (paths: readonly string[]) => void;
}): ReactElement => {
  const { queue, files, arrived } = useUploads(place, onComplete);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const take = (picked: readonly File[]): void => {
    const problem = (file: File): string | undefined => problemOf(file, rules.maxFileBytes);
    const isNamed = proposal.trim() !== '';
    setProblems(isNamed ? picked.flatMap((file) => problem(file) ?? []) : [words.noProposal]);
    if (!isNamed) return;
    const right = picked.filter((file) => problem(file) === undefined);
    queue.add(right, proposal.trim());
  };
  return (
    <Stack component="section" gap="xs" mb={10} aria-label={words.list}>
      <FilePick ref={input} rules={rules} onFiles={take} />
      <SubmitFailure message={problems.length === 0 ? undefined : problems.join(' ')} />
      <Stack component="ul" gap="xs">
        {files.map((queued) => (
          <UploadRow
            key={queued.mark}
            queued={queued}
            queue={queue}
            onCancel={() => {
              // The focused button disappears with its row.
              input.current?.focus();
              void queue.cancel(queued.mark);
            }}
          />
        ))}
      </Stack>
      <Text role="status" c="green" fz="xs">
        {arrived.length > 0 && words.complete(arrived.map(plainLine).join(', '), arrived.length)}
      </Text>
    </Stack>
  );
};
