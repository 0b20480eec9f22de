import { Textarea } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { plainLine, plainLines } from '@fleet/session-report';
import { readAdvice } from '../api/calls';
import { submitTexts } from '../texts-submit';
import { useLater } from './use-later';

const words = submitTexts.advice;

/** What the rules make of a text, beside it. */
const Understood = ({ advice }: { readonly advice: string }): ReactElement => {
  const asked = useLater(advice.trim(), 300);
  const reading = useQuery({
    queryKey: ['advice', asked],
    queryFn: ({ signal }) => readAdvice(asked, signal),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  if (asked === '') return <p className="quiet">{words.none}</p>;
  if (reading.error !== null) return <p role="alert">{reading.error.message}</p>;
  if (reading.data === undefined) return <p className="quiet">…</p>;
  const { understood, conflicts, notFollowed, removed } = reading.data;
  return (
    <ul className="understood">
      {understood.length === 0 && <li>{words.nothing}</li>}
      {understood.map(({ says, words: of, field }) => (
        <li key={field} className="understood-yes">
          {plainLine(says)} <span className="quiet small">{words.words(plainLine(of))}</span>
        </li>
      ))}
      {conflicts.map((sentence) => (
        <li key={sentence} className="understood-no">
          {plainLines(sentence)}
        </li>
      ))}
      {notFollowed.map(({ words: of, why }) => (
        <li key={of} className="understood-no">
          {words.notFollowed(plainLine(of), why)}
        </li>
      ))}
      {removed.map(({ words: of, why }) => (
        <li key={of} className="understood-no">
          {words.notRead(plainLine(of), why)}
        </li>
      ))}
    </ul>
  );
};

/** Advice in plain words, and what is understood of it while it is typed. */
export const AdviceField = ({
  advice,
  onChange,
}: {
  readonly advice: string;
  readonly onChange: (advice: string) => void;
}): ReactElement => (
  <div className="beside">
    <Textarea
      label={submitTexts.fields.advice}
      description={submitTexts.fields.adviceHint}
      rows={5}
      maxLength={20_000}
      value={advice}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
    <section aria-live="polite" data-testid="understood">
      <h3>{words.title}</h3>
      <Understood advice={advice} />
    </section>
  </div>
);
