import { Button } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement, type ReactNode } from 'react';
import type { QueuedJobDetail } from '@fleet/contracts';
import { plainLine, plainLines } from '@fleet/session-report';
import { hastenJob } from '../api/admin-calls';
import { Ago } from '../format/time';
import { Asking } from '../operations/asking';
import { CopyButton } from '../shell/copy-button';
import { operationsTexts } from '../texts-operations';
import { queueTexts as words } from '../texts-queues';
import { JobStandingMark } from './job-standing-mark';

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div className="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Moment = ({ name, at }: { readonly name: string; readonly at: string | undefined }): ReactElement =>
  at === undefined ? (
    <></>
  ) : (
    <Fact name={name}>
      <Ago at={at} />
    </Fact>
  );

const Facts = ({ job }: { readonly job: QueuedJobDetail }): ReactElement => (
  <dl className="facts">
    {job.sessionId !== undefined && (
      <Fact name={words.session}>
        <Link to="/sessions/$id" params={{ id: job.sessionId }} search={{}}>
          {plainLine(job.title ?? '') || job.sessionId}
        </Link>
      </Fact>
    )}
    <Fact name={words.detail.step}>{plainLine(job.job)}</Fact>
    <Fact name={words.tries}>{words.triesOf(job.tries, job.mostTries)}</Fact>
    <Moment name={words.detail.added} at={job.addedAt} />
    <Moment name={words.detail.started} at={job.startedAt} />
    <Moment name={words.detail.ended} at={job.endedAt} />
    <Moment name={words.detail.begins} at={job.beginsAt} />
  </dl>
);

const Texts = ({ job: { payload, stack } }: { readonly job: QueuedJobDetail }): ReactElement => (
  <>
    <h3>{words.detail.payload}</h3>
    <pre className="job-text" tabIndex={0}>
      {plainLines(payload)}
    </pre>
    {stack.length > 0 && (
      <>
        <h3>{words.detail.stack}</h3>
        <pre className="job-text" tabIndex={0}>
          {plainLines(stack.join('\n'))}
        </pre>
      </>
    )}
  </>
);

/** Lets a delayed job begin now, after a question. */
const Hasten = ({ job: { queue, id } }: { readonly job: QueuedJobDetail }): ReactElement => {
  const queries = useQueryClient();
  const [isAsked, ask] = useState(false);
  const hasten = async (): Promise<void> => {
    await hastenJob(queue, id);
    await queries.invalidateQueries({ queryKey: ['queues'] });
  };
  return (
    <div className="acts">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerTrackNext size={14} />}
        onClick={() => {
          ask(true);
        }}
      >
        {words.hasten.open}
      </Button>
      {isAsked && (
        <Asking
          words={words.hasten}
          color="blue"
          work={hasten}
          onClose={() => {
            ask(false);
          }}
        />
      )}
    </div>
  );
};

/** What a queue knows of one job, and what an administrator can do about it. */
export const JobPanel = ({
  job,
  mayAct,
}: {
  readonly job: QueuedJobDetail;
  readonly mayAct: boolean;
}): ReactElement => (
  <>
    <p className="launch-state">
      <span className="mono">{plainLine(job.id)}</span>
      <CopyButton text={job.id} label={words.detail.copy} />
      <JobStandingMark standing={job.standing} />
      <span className="quiet">
        {words.list(words.places[job.place], job.queue)}. {words.standings[job.standing].meaning}
      </span>
    </p>
    <Facts job={job} />
    {job.reason !== undefined && (
      <p>
        <span className="label">{words.reason}</span> {plainLines(job.reason)}
      </p>
    )}
    {job.place === 'failed' && mayAct && (
      <p className="job-next">
        {words.deadSteps}{' '}
        <Link to="/operations" search={{}}>
          {operationsTexts.name}, {operationsTexts.deadSteps.title}
        </Link>
      </p>
    )}
    {job.place === 'delayed' && mayAct && <Hasten job={job} />}
    <Texts job={job} />
  </>
);
