import { Group, Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, type ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { plainLine, type MetricDefinitions } from '@fleet/session-report';
import { fetchSession, isFailure } from '../../api/calls';
import { Failure } from '../../parts/failure';
import { useDefinitions } from '../../parts/use-definitions';
import { useTitle } from '../../parts/use-title';
import { sessionTexts } from '../../texts/session';
import { assessmentTexts } from '../../texts/written';
import { compareTexts } from '../../texts/compare';
import { qualityTexts } from '../../texts/quality';
import { sceneTexts } from '../../texts/scene';
import { traceTexts } from '../../texts/trace';
import { CycleCards } from './cycle-cards';
import { FitPanel } from './fit-panel';
import { FileList } from './file-list';
import { LogPanel } from './log-panel';
import { SessionHeader } from './session-header';
import { sessionViews } from './session-search';
import { Stages } from './stages';
import { Columns } from '../../parts/columns';
import { Page } from '../../parts/page';

// Loaded like routes: if an upgrade has removed the old program, the page reloads once.
const ScenePanel = lazyRouteComponent(() => import('./scene/scene-panel'), 'ScenePanel');
const QualityPanel = lazyRouteComponent(() => import('./quality/quality-panel'), 'QualityPanel');
const AssessmentPanel = lazyRouteComponent(() => import('./written/assessment-panel'), 'AssessmentPanel');
const TracePanel = lazyRouteComponent(() => import('./trace/trace-panel'), 'TracePanel');

/** Names of the page's sections. */
const Names = ({ cycles }: { readonly cycles: number }): ReactElement => (
  <Tabs.List>
    <Tabs.Tab value="cycles">
      {sessionTexts.cycles} {cycles}
    </Tabs.Tab>
    <Tabs.Tab value="3d">{sceneTexts.tab}</Tabs.Tab>
    <Tabs.Tab value="validation">{qualityTexts.tab}</Tabs.Tab>
    <Tabs.Tab value="assessment">{assessmentTexts.tab}</Tabs.Tab>
    <Tabs.Tab value="log">{sessionTexts.log}</Tabs.Tab>
    <Tabs.Tab value="files">{sessionTexts.files}</Tabs.Tab>
    <Tabs.Tab value="trace">{traceTexts.tab}</Tabs.Tab>
  </Tabs.List>
);

const Views = ({
  session,
  definitions,
}: {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const { view = 'cycles', cycle, attempt, line } = useSearch({ from: '/sessions/$id' });
  const navigate = useNavigate();
  const show = (next: string | null): void => {
    const known = sessionViews.find((name) => name !== 'cycles' && name === next);
    void navigate({
      to: '/sessions/$id',
      params: { id: session.id },
      search: known === undefined ? {} : { view: known },
      resetScroll: false,
    });
  };
  return (
    <Tabs value={view} onChange={show} keepMounted={false}>
      <Names cycles={session.cycles.length} />
      <Tabs.Panel value="cycles">
        <Columns of="2fr 1fr">
          <FitPanel session={session} definitions={definitions} />
          <Stages session={session} />
        </Columns>
        <CycleCards session={session} definitions={definitions} cycle={cycle} />
      </Tabs.Panel>
      <Tabs.Panel value="3d">
        <Suspense fallback={<Skeleton height={480} />}>
          <ScenePanel session={session} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="validation">
        <Suspense fallback={<Skeleton height={300} />}>
          <QualityPanel session={session} definitions={definitions} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="assessment">
        <Suspense fallback={<Skeleton height={300} />}>
          <AssessmentPanel key={session.id} session={session} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="trace">
        <Suspense fallback={<Skeleton height={400} />}>
          <TracePanel key={session.id} session={session} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="log">
        <LogPanel session={session} cycle={cycle} attempt={attempt} line={line} />
      </Tabs.Panel>
      <Tabs.Panel value="files">
        <FileList session={session} />
      </Tabs.Panel>
    </Tabs>
  );
};

const Shown = ({ session }: { readonly session: SessionView }): ReactElement => {
  const { definitions } = useDefinitions();
  useTitle(plainLine(session.request.title) || session.id);
  return (
    <>
      <SessionHeader session={session} definitions={definitions} />
      <Views session={session} definitions={definitions} />
    </>
  );
};

/** One session: facts, outcome and history. */
export const SessionPage = (): ReactElement => {
  const { id } = useParams({ from: '/sessions/$id' });
  const session = useQuery({ queryKey: ['session', id], queryFn: ({ signal }) => fetchSession(id, signal) });
  const { data, error } = session;
  return (
    <Page>
      <Group component="p" gap={20}>
        <Link to="/sessions" search={{}}>
          ← {sessionTexts.back}
        </Link>
        <Link to="/compare" search={{ left: id }}>
          {compareTexts.link}
        </Link>
      </Group>
      {data !== undefined && <Shown session={data} />}
      {data === undefined && error === null && <Skeleton height={400} />}
      {data === undefined && error !== null && (
        <Failure
          error={isFailure(error, 404) ? new Error(sessionTexts.notFound) : error}
          onAgain={() => void session.refetch()}
        />
      )}
    </Page>
  );
};
