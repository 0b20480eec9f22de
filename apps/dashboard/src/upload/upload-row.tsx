import { Button, Group, Progress, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { plainLine, plainLines } from '@fleet/session-report';
import { bytesText } from '@fleet/session-report';
import { uploadTexts } from '../texts/upload';
import { largestDigested } from './file-sending';
import type { QueuedFile, UploadQueue } from './upload-queue';

const words = uploadTexts;

/** The action of the button beside `Cancel`. */
const actOf = ({ state: { kind } }: QueuedFile): 'pause' | 'resume' | 'again' | undefined => {
  if (kind === 'complete' || kind === 'login') return undefined;
  if (kind === 'failed') return 'again';
  return kind === 'paused' ? 'resume' : 'pause';
};

const UploadState = ({ queued: { file, done, state } }: { readonly queued: QueuedFile }): ReactElement | null => {
  if (state.kind === 'complete') return null;
  if (state.kind === 'failed')
    return (
      <Text role="alert" c="red" fz="xs">
        {plainLines(state.why)}
      </Text>
    );
  const bytes = state.kind === 'checking' ? state.done : done;
  return (
    <p className="quiet small number">
      {words.of(bytesText(bytes), bytesText(file.size))} · {words.states[state.kind]}
    </p>
  );
};

/** A file with its progress and actions. */
export const UploadRow = ({
  queued,
  queue,
  onCancel,
}: {
  readonly queued: QueuedFile;
  readonly queue: UploadQueue;
  readonly onCancel: () => void;
}): ReactElement => {
  const { mark, file, done, state } = queued;
  const name = plainLine(file.name);
  const act = actOf(queued);
  return (
    <li data-testid="upload" data-upload={state.kind}>
      <Group gap="xs" wrap="nowrap">
        <Text component="span" flex={1} ff="monospace" fz="xs">
          {name}
        </Text>
        <Group component="span" gap={6}>
          {act !== undefined && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={words.doTo(words[act], name)}
              onClick={() => {
                if (act === 'pause') queue.pause(mark);
                else queue.resume(mark);
              }}
            >
              {words[act]}
            </Button>
          )}
          <Button size="compact-xs" variant="default" aria-label={words.doTo(words.cancel, name)} onClick={onCancel}>
            {words.cancel}
          </Button>
        </Group>
      </Group>
      <Progress.Root my={4}>
        <Progress.Section
          aria-label={words.progress(name)}
          value={Math.round((100 * (state.kind === 'checking' ? state.done : done)) / file.size)}
          color={state.kind === 'failed' ? 'red' : 'blue'}
        />
      </Progress.Root>
      <UploadState queued={queued} />
      {file.size > largestDigested && <p className="quiet small">{words.unchecked(bytesText(largestDigested))}</p>}
    </li>
  );
};
