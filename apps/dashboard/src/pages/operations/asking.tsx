import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Dialog } from '../../parts/dialog';
import { operationsTexts } from '../../texts/operations';

/** Asks for confirmation, and executes the action. */
export const Asking = ({
  words,
  color,
  work,
  onClose,
  children,
}: {
  readonly words: { readonly ask: string; readonly what: string; readonly button: string };
  readonly color: 'red' | 'blue';
  readonly work: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Further content. */
  readonly children?: ReactNode;
}): ReactElement => {
  const doing = useMutation({ mutationFn: work, onSuccess: onClose });
  return (
    <Dialog title={words.ask} onClose={onClose}>
      <p>{words.what}</p>
      {children}
      {doing.error !== null && (
        <Text role="alert" c="red">
          {doing.error.message}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button
          color={color}
          loading={doing.isPending}
          onClick={() => {
            doing.mutate();
          }}
        >
          {words.button}
        </Button>
        <Button variant="default" data-autofocus onClick={onClose}>
          {operationsTexts.launches.leave}
        </Button>
      </Group>
    </Dialog>
  );
};
