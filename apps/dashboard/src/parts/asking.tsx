import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactElement, type ReactNode } from 'react';
import { askingTexts } from '../texts/shell';
import { Dialog } from './dialog';

/** Asks for confirmation, and executes the action. */
export const Asking = ({
  words,
  color = 'blue',
  work,
  isIncomplete,
  leave = askingTexts.leave,
  onClose,
  children,
}: {
  readonly words: { readonly ask: string; readonly what: string; readonly button: string };
  readonly color?: 'red' | 'blue';
  /** A text that it returns is shown; otherwise the dialog closes. */
  readonly work: () => Promise<unknown>;
  /** While a required field is empty. */
  readonly isIncomplete?: boolean;
  readonly leave?: string;
  readonly onClose: () => void;
  /** Further content. */
  readonly children?: ReactNode | ((isDone: boolean) => ReactNode);
}): ReactElement => {
  const doing = useMutation({
    mutationFn: work,
    onSuccess: (result) => {
      if (typeof result !== 'string') onClose();
    },
  });
  const result = typeof doing.data === 'string' ? doing.data : undefined;
  const isDone = result !== undefined;
  return (
    <Dialog title={words.ask} onClose={onClose}>
      {!isDone && <p>{words.what}</p>}
      {typeof children === 'function' ? children(isDone) : children}
      {isDone && <p role="status">{result}</p>}
      {doing.error !== null && (
        <Text role="alert" c="red">
          {doing.error.message}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        {!isDone && (
          <Button
            color={color}
            disabled={isIncomplete === true}
            loading={doing.isPending}
            onClick={() => doing.mutate()}
          >
            {words.button}
          </Button>
        )}
        <Button variant="default" data-autofocus onClick={onClose}>
          {isDone ? askingTexts.close : leave}
        </Button>
      </Group>
    </Dialog>
  );
};

/** A button that opens a dialog. The dialog stays open when the button is no longer offered. */
export const AskButton = ({
  label,
  icon,
  isOffered = true,
  dialog,
}: {
  readonly label: string;
  readonly icon: ReactElement;
  readonly isOffered?: boolean;
  readonly dialog: (onClose: () => void) => ReactElement;
}): ReactElement => {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {isOffered && (
        <Button size="xs" variant="default" leftSection={icon} onClick={() => setAsking(true)}>
          {label}
        </Button>
      )}
      {isAsking && dialog(() => setAsking(false))}
    </>
  );
};
