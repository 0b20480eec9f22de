import { Group, Text } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { QueuedJobDetail } from '@fleet/contracts/queues';
import { plainLine, plainLines } from '@fleet/session-report';
import { api } from '../../api/calls';
import { Ago } from '../../parts/time';
import { AskButton, Asking } from '../../parts/asking';
import { CopyButton } from '../../parts/copy-button';
import { operationsTexts } from '../../texts/operations';
import { queueTexts as words } from '../../texts/queues';
import { JobRelevanceMark } from './job-relevance-mark';
import { Fact, Facts } from '../../parts/facts';

const Moment = ({ name, at }: { readonly name: string; readonly at: string | undefined }): ReactElement =>
  at === undefined ? (
    <></>
  ) : (
    <Fact name={name}>
      <Ago at={at} />
    </Fact>
  );

const JobFacts = ({ job }: { readonly job: QueuedJobDetail }): ReactElement => (
  <Facts>
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
  </Facts>
);

const Texts = ({ job: { payload, stack } }: { readonly job: QueuedJobDetail }): ReactElement => (
  <>
    <h3>{words.detail.payload}</h3>
    <pre tabIndex={0}>{plainLines(payload)}</pre>
    {stack.length > 0 && (
      <>
        <h3>{words.detail.stack}</h3>
        <pre tabIndex={0}>{plainLines(stack.join('\n'))}</pre>
      </>
    )}
  </>
);

/** Starts a delayed job now, after a confirmation. */
const Hasten = ({ job: { queue, id } }: { readonly job: QueuedJobDetail }): ReactElement => {
  const queries = useQueryClient();
  const hasten = async (): Promise<void> => {
    await api.json('POST /v1/admin/queues/{queue}/jobs/{job}/promotion', { path: { queue, job: id } });
    await queries.invalidateQueries({ queryKey: ['queues'] });
  };
  return (
    <Group gap="xs">
      <AskButton
        label={words.hasten.open}
        icon={<IconPlayerTrackNext size={14} />}
        dialog={(onClose) => <Asking words={words.hasten} work={hasten} onClose={onClose} />}
      />
    </Group>
  );
};

/** Details of one job, and an administrator's actions on it. */
export const JobPanel = ({
  job,
  mayAct,
}: {
  readonly job: QueuedJobDetail;
  readonly mayAct: boolean;
}): ReactElement => (
  <>
    <Group component="p" gap="xs">
      <span className="mono">{plainLine(job.id)}</span>
      <CopyButton text={job.id} label={words.detail.copy} />
      <JobRelevanceMark relevance={job.relevance} />
      <span className="quiet">
        {words.list(words.places[job.place], job.queue)}. {words.relevances[job.relevance].meaning}
      </span>
    </Group>
    <JobFacts job={job} />
    {job.reason !== undefined && (
      <p>
        <Text component="span" c="dimmed" fz="xs" mr={6}>
          {words.reason}
        </Text>{' '}
        {plainLines(job.reason)}
      </p>
    )}
    {job.place === 'failed' && mayAct && (
      <p className="sentence">
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
