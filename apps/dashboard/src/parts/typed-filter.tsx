import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useEffectEvent, useState, type ReactElement } from 'react';

/** Milliseconds after the last keystroke until a text takes effect. */
const waitMs = 350;

/** A text filter that takes effect after a pause in typing. */
export const TypedFilter = ({
  name,
  given,
  onTyped,
  ...shown
}: {
  /** The filter's name. */
  readonly name: string;
  /** The value in the URL. */
  readonly given: string;
  readonly onTyped: (text: string) => void;
} & Pick<TextInputProps, 'label' | 'placeholder' | 'leftSection'>): ReactElement => {
  const [typed, setTyped] = useState(given);
  const report = useEffectEvent(onTyped);
  useEffect(() => setTyped(given), [given]);
  useEffect(() => {
    const text = typed.trim();
    if (text === given) return undefined;
    const timer = setTimeout(() => report(text), waitMs);
    return () => clearTimeout(timer);
  }, [typed, given]);
  return (
    <TextInput
      size="xs"
      wrapperProps={{ 'data-filter': name }}
      {...shown}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
};
