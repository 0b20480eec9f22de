import { Stack, Textarea } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { plainLine, plainLines } from '@fleet/session-report';
import { api } from '../api/calls';
import { submitTexts } from '../texts/submit';
import { useLater } from '../parts/use-later';
import { Note } from '../parts/note';
import { Columns } from '../parts/columns';

const words = submitTexts.advice;

/** The rules' reading of a text, beside it. */
const Understood = ({ advice }: { readonly advice: string }): ReactElement => {
  const settledAdvice = useLater(advice.trim(), 300);
  const reading = useQuery({
    queryKey: ['advice', settledAdvice],
    queryFn: ({ signal }) => api.json('POST /v1/advice/preview', { body: { advice: settledAdvice } }, { signal }),
    enabled: settledAdvice !== '',
    placeholderData: keepPreviousData,
  });
  if (settledAdvice === '') return <p className="quiet">{words.none}</p>;
  if (reading.error !== null) return <p role="alert">{reading.error.message}</p>;
  if (reading.data === undefined) return <p className="quiet">…</p>;
  const { understood, conflicts, notFollowed, removed } = reading.data;
  return (
    <Stack component="ul" gap={4}>
      {understood.length === 0 && <li>{words.nothing}</li>}
      {understood.map(({ says, words: of, field }) => (
        <Note component="li" key={field} color="green" data-testid="understood-yes">
          {plainLine(says)} <span className="quiet small">{words.words(plainLine(of))}</span>
        </Note>
      ))}
      {conflicts.map((sentence) => (
        <Note component="li" key={sentence} color="yellow">
          {plainLines(sentence)}
        </Note>
      ))}
      {notFollowed.map(({ words: of, why }) => (
        <Note component="li" key={of} color="yellow">
          {words.notFollowed(plainLine(of), why)}
        </Note>
      ))}
      {removed.map(({ words: of, why }) => (
        <Note component="li" key={of} color="yellow">
          {words.notRead(plainLine(of), why)}
        </Note>
      ))}
    </Stack>
  );
};

/** Advice in plain words, with its reading while it is typed. */
export const AdviceField = ({
  advice,
  onChange,
}: {
  readonly advice: string;
  readonly onChange: (advice: string) => void;
}): ReactElement => (
  <Columns least={260}>
    <Textarea
      label={submitTexts.fields.advice}
      description={submitTexts.fields.adviceHint}
      rows={5}
      maxLength={20_000}
      value={advice}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
    <section aria-live="polite" data-testid="understood">
      <h3>{words.title}</h3>
      <Understood advice={advice} />
    </section>
  </Columns>
);
