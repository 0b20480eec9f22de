import { Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { may } from '@fleet/access';
import type { MeView } from '@fleet/contracts/access';
import { api, isFailure } from '../../api/calls';
import { OperationsHead } from '../operations/operations-head';
import { ForThose } from '../operations/for-those';
import { Section } from '../operations/section';
import { useTitle } from '../../parts/use-title';
import { queueTexts as words } from '../../texts/queues';
import { JobList } from './job-list';
import { JobPanel } from './job-panel';
import { QueueTable, type ChosenJobs } from './queue-table';
import { Page } from '../../parts/page';

/** Polling interval, in milliseconds. */
const askMs = 5_000;
const pageSize = 50;

const Jobs = ({ chosen }: { readonly chosen: ChosenJobs }): ReactElement => {
  const { order = 'oldest', offset = '0' } = useSearch({ from: '/operations/queues' });
  const query = { place: chosen.place, order, offset: Number(offset), limit: pageSize };
  const page = useQuery({
    queryKey: ['queues', chosen.queue, query],
    queryFn: ({ signal }) =>
      api.json('GET /v1/admin/queues/{queue}/jobs', { path: { queue: chosen.queue }, query }, { signal }),
    refetchInterval: askMs,
  });
  return (
    <Section title={words.list(words.places[chosen.place], chosen.queue)} name="job-list" query={page}>
      {(data) => <JobList page={data} chosen={chosen} />}
    </Section>
  );
};

const OneJob = ({ chosen, me }: { readonly chosen: ChosenJobs; readonly me: MeView }): ReactElement => {
  const { job: id = '', ...list } = useSearch({ from: '/operations/queues' });
  const job = useQuery({
    queryKey: ['queues', chosen.queue, 'job', id],
    queryFn: async ({ signal }) => {
      try {
        const path = { queue: chosen.queue, job: id };
        return await api.json('GET /v1/admin/queues/{queue}/jobs/{job}', { path }, { signal });
      } catch (error) {
        if (isFailure(error, 404)) return null;
        throw error;
      }
    },
    refetchInterval: askMs,
  });
  return (
    <>
      <Group component="p" gap={20}>
        <Link to="/operations/queues" search={list}>
          {words.back}
        </Link>
      </Group>
      <Section title={words.job} name="job" query={job}>
        {(data) =>
          data === null ? (
            <p className="quiet">{words.gone}</p>
          ) : (
            <JobPanel job={data} mayAct={may(me, 'admin.change')} />
          )
        }
      </Section>
    </>
  );
};

const Shown = ({ me }: { readonly me: MeView }): ReactElement => {
  const { queue = 'decisions', place = 'waiting', job } = useSearch({ from: '/operations/queues' });
  const chosen = { queue, place };
  const queues = useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => api.json('GET /v1/admin/queues', {}, { signal }),
    refetchInterval: askMs,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Section title={words.name} name="queue-counts" query={queues}>
        {(data) => (
          <>
            <p className="quiet">{words.what}</p>
            <QueueTable queues={data.queues} chosen={chosen} />
          </>
        )}
      </Section>
      {job === undefined ? <Jobs chosen={chosen} /> : <OneJob chosen={chosen} me={me} />}
    </>
  );
};

/** Jobs in the queues, for staff and administrators. */
export const QueuesPage = (): ReactElement => {
  useTitle(words.name);
  return (
    <Page>
      <OperationsHead />
      <ForThose may={(me) => may(me, 'queue.read')} refused={words.refused}>
        {(me) => <Shown me={me} />}
      </ForThose>
    </Page>
  );
};
