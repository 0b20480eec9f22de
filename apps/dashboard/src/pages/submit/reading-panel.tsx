import { Loader, Paper, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SubmissionReading } from '@fleet/contracts/submissions';
import { plainLine, plainLines } from '@fleet/session-report';
import { submitTexts } from '../../texts/submit';
import { Note } from '../../parts/note';

const words = submitTexts.reading;

const First = ({ first }: { readonly first: SubmissionReading['first'] }): ReactElement => {
  if (first === undefined) return <p className="quiet">{words.unknown}</p>;
  if (first.stop !== undefined)
    return (
      <Note component="p" color="yellow">
        <b>{words.stops}</b>: {plainLines(first.stop)}
      </Note>
    );
  return (
    <>
      <p>
        {words.first} <b>{first.program}</b>
        {first.reasoning !== undefined && <>: {plainLines(first.reasoning)}</>}
      </p>
      {first.command !== undefined && <pre data-testid="command">{plainLines(first.command)}</pre>}
    </>
  );
};

/** It would be accepted; an unused file is shown before anything starts. */
const Accepted = ({ unused }: { readonly unused: number }): ReactElement =>
  unused > 0 ? (
    <Note component="p" color="yellow">
      {words.unused(unused)}
    </Note>
  ) : (
    <Text c="green">{words.right}</Text>
  );

/** Whether it would be accepted, and its first step. */
export const ReadingPanel = ({
  reading,
  isReading,
}: {
  readonly reading: SubmissionReading | undefined;
  readonly isReading: boolean;
}): ReactElement => (
  <Paper component="section" aria-live="polite" data-testid="reading">
    <h2>
      {words.title} {isReading && <Loader size={12} role="status" aria-label={words.looking} />}
    </h2>
    {reading === undefined && isReading && <p className="quiet">{words.looking}</p>}
    {reading !== undefined && reading.problems.length > 0 && (
      <>
        <Text mb="xs">
          <b>{words.wrong(reading.problems.length)}</b>
        </Text>
        <Stack component="ul" gap={4}>
          {reading.problems.map(({ field, reason, allowed }) => (
            <Note component="li" key={`${field} ${reason}`} color="red">
              <span className="mono">{field}</span> {plainLine(reason)}
              {allowed !== undefined && <span className="quiet"> ({plainLine(allowed)})</span>}
            </Note>
          ))}
        </Stack>
      </>
    )}
    {reading?.problems.length === 0 && (
      <>
        <Accepted unused={reading.files.filter(({ use }) => use?.used === false).length} />
        <First first={reading.first} />
      </>
    )}
  </Paper>
);
