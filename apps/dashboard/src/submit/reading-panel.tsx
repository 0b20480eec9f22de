import { Loader } from '@mantine/core';
import type { ReactElement } from 'react';
import type { SubmissionReading } from '@fleet/contracts';
import { plainLine, plainLines } from '@fleet/session-report';
import { submitTexts } from '../texts-submit';

const words = submitTexts.reading;

const First = ({ first }: { readonly first: SubmissionReading['first'] }): ReactElement => {
  if (first === undefined) return <p className="quiet">{words.unknown}</p>;
  if (first.stop !== undefined)
    return (
      <p className="finding finding-warning">
        <b>{words.stops}</b>: {plainLines(first.stop)}
      </p>
    );
  return (
    <>
      <p>
        {words.first} <b>{first.program}</b>
        {first.reasoning !== undefined && <>: {plainLines(first.reasoning)}</>}
      </p>
      {first.command !== undefined && <pre className="command">{plainLines(first.command)}</pre>}
    </>
  );
};

/** It would be accepted; a file that is used for nothing is to be seen before anything starts. */
const Accepted = ({ unused }: { readonly unused: number }): ReactElement =>
  unused > 0 ? (
    <p className="finding finding-warning">{words.unused(unused)}</p>
  ) : (
    <p className="mark-success">{words.right}</p>
  );

/** Whether it would be accepted, and what would be done first. */
export const ReadingPanel = ({
  reading,
  isLooking,
}: {
  readonly reading: SubmissionReading | undefined;
  readonly isLooking: boolean;
}): ReactElement => (
  <section className="panel" aria-live="polite" data-testid="reading">
    <h2>
      {words.title} {isLooking && <Loader size={12} role="status" aria-label={words.looking} />}
    </h2>
    {reading === undefined && isLooking && <p className="quiet">{words.looking}</p>}
    {reading !== undefined && reading.problems.length > 0 && (
      <>
        <p className="problem-count">
          <b>{words.wrong(reading.problems.length)}</b>
        </p>
        <ul className="findings">
          {reading.problems.map(({ field, reason, allowed }) => (
            <li key={`${field} ${reason}`} className="finding finding-error">
              <span className="mono">{field}</span> {plainLine(reason)}
              {allowed !== undefined && <span className="quiet"> ({plainLine(allowed)})</span>}
            </li>
          ))}
        </ul>
      </>
    )}
    {reading?.problems.length === 0 && (
      <>
        <Accepted unused={reading.files.filter(({ use }) => use?.used === false).length} />
        <First first={reading.first} />
      </>
    )}
  </section>
);
