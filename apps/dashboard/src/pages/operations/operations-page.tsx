import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { fetchHealth } from '../../api/health';
import { api, fetchSessions } from '../../api/calls';
import { useTitle } from '../../parts/use-title';
import { operationsTexts } from '../../texts/operations';
import { AuditPanel } from './audit-panel';
import { DeadStepsPanel } from './dead-steps-panel';
import { ForThose } from './for-those';
import { HealthPanel } from './health-panel';
import { isAdmin } from '../../api/is-admin';
import { LaunchPanel } from './launch-panel';
import { NowPanel } from './now-panel';
import { OperationsHead } from './operations-head';
import { OrphansPanel } from './orphans-panel';
import { Section } from './section';
import { SharesPanel } from './shares-panel';
import { Columns } from '../../parts/columns';
import { Page } from '../../parts/page';

/** Polling interval in milliseconds; the stream of sessions does not cover this page. */
const askMs = 5_000;
const seldomMs = 30_000;

const usePart = <T,>(name: string, read: (signal: AbortSignal) => Promise<T>, everyMs = askMs) =>
  useQuery({
    queryKey: ['operations', name],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
  });

const Audit = (): ReactElement => {
  const search = useSearch({ from: '/operations' });
  const parameters = { ...search, limit: 25 };
  const page = usePart(
    `audit ${JSON.stringify(parameters)}`,
    (signal) => api.json('GET /v1/admin/audit', { query: parameters }, { signal }),
    seldomMs,
  );
  return (
    <Section title={operationsTexts.audit.title} name="audit" query={page}>
      {(data) => <AuditPanel page={data} search={search} />}
    </Section>
  );
};

const Parts = (): ReactElement => {
  const now = usePart('now', async (signal) => {
    const oldest = { status: 'running', sort: 'created', limit: 500 } as const;
    const [status, running] = await Promise.all([
      api.json('GET /v1/admin/status', {}, { signal }),
      fetchSessions(oldest, signal),
    ]);
    return { status, running };
  });
  const health = usePart('health', fetchHealth);
  const shares = usePart('shares', (signal) => api.json('GET /v1/admin/shares', {}, { signal }), seldomMs);
  const orphans = usePart('orphans', (signal) => api.json('GET /v1/admin/orphans', {}, { signal }));
  const deadSteps = usePart(
    'dead steps',
    (signal) => api.json('GET /v1/admin/steps', { query: { limit: 20 } }, { signal }),
    seldomMs,
  );
  return (
    <>
      <Columns of="1fr 1fr">
        <Section title={operationsTexts.launches.title} name="launches" query={now}>
          {({ status }) => <LaunchPanel launches={status.launches} />}
        </Section>
        <Section title={operationsTexts.health.title} name="health" query={health}>
          {(probes) => <HealthPanel probes={probes} />}
        </Section>
        <Section title={operationsTexts.now.title} name="now" query={now}>
          {(data) => <NowPanel {...data} />}
        </Section>
        <Section title={operationsTexts.shares.title} name="shares" query={shares}>
          {(data) => <SharesPanel shares={data} />}
        </Section>
      </Columns>
      <Section title={operationsTexts.orphans.title} name="orphans" query={orphans}>
        {(data) => <OrphansPanel orphans={data.orphans} />}
      </Section>
      <Section title={operationsTexts.deadSteps.title} name="dead-steps" query={deadSteps}>
        {(data) => <DeadStepsPanel dead={data} />}
      </Section>
      <Audit />
    </>
  );
};

/** The whole service, for administrators; other users see a refusal. */
export const OperationsPage = (): ReactElement => {
  useTitle(operationsTexts.name);
  return (
    <Page>
      <OperationsHead />
      <ForThose may={isAdmin} refused={operationsTexts.refused}>
        {() => <Parts />}
      </ForThose>
    </Page>
  );
};
