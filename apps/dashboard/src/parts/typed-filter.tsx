import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react';

/** Milliseconds without a keystroke after which a text counts. */
const waitMs = 350;

/** A filter that is typed: it counts once nothing more is typed. */
export const TypedFilter = ({
  name,
  given,
  onTyped,
  ...shown
}: {
  /** What it is a filter of. */
  readonly name: string;
  /** As the URL has it. */
  readonly given: string;
  readonly onTyped: (text: string) => void;
} & Pick<TextInputProps, 'label' | 'placeholder' | 'leftSection'>): ReactElement => {
  const [typed, setTyped] = useState(given);
  const report = useEffectEvent(onTyped);
  useEffect(() => {
    setTyped(given);
  }, [given]);
  useEffect(() => {
    const text = typed.trim();
    if (text === given) return undefined;
    const timer = setTimeout(() => {
      report(text);
    }, waitMs);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, given]);
  return (
    <TextInput
      size="xs"
      wrapperProps={{ 'data-filter': name }}
      {...shown}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
      }}
    />
  );
};
