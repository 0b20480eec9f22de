import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { SessionCounts, WallView } from '@fleet/contracts/sessions';
import { api } from '../../api/calls';
import { useMe } from '../../parts/use-me';
import { useDefinitions } from '../../parts/use-definitions';
import { Ago, useNow } from '../../parts/time';
import { clockText } from '../../format/times';
import { useLiveState } from '../../live/live-provider';
import { Failure } from '../../parts/failure';
import { isHeld, LaunchBanner } from '../../parts/launch-banner';
import { LiveBadge } from '../../parts/live-badge';
import { MaintenanceBanner, useMaintenance } from '../../shell/maintenance-banner';
import { useNewBuild } from '../../parts/use-new-build';
import { useTitle } from '../../parts/use-title';
import { SessionState } from '../../state/session-state';
import type { StateKind } from '../../format/state-of';
import { listTexts } from '../../texts/sessions';
import { wallTexts } from '../../texts/wall';
import { wallGroups } from './wall-groups';
import { WallList } from './wall-list';
import { EndedRow, RunningRow, WaitingRow } from './wall-rows';
import css from './wall.module.css';

/** Milliseconds between polls for new sessions; changes of sessions arrive by the stream. */
const askMs = 10_000;

const countersOf = ({ sessions, outcomes, waiting }: SessionCounts): readonly (readonly [StateKind, number])[] => [
  ['running', sessions.running - waiting],
  ['waiting', waiting],
  ['solved', outcomes.solved],
  ['unsatisfactory', outcomes.unsatisfactory],
  ['failed_science', outcomes.failed_science],
  ['failed_infrastructure', outcomes.failed_infrastructure],
];

const Counters = ({ counts }: { readonly counts: SessionCounts }): ReactElement => (
  <ul className={css.counters} aria-label={listTexts.counters}>
    {countersOf(counts).map(([kind, count]) => (
      <li key={kind} data-counter={kind}>
        <b className="number">{count}</b>
        <SessionState kind={kind} />
        {kind === 'waiting' && counts.oldestWaitingSince !== undefined && (
          <span className="quiet">
            {wallTexts.oldest} <Ago at={counts.oldestWaitingSince} />
          </span>
        )}
      </li>
    ))}
  </ul>
);

/** The wall's topic, the time, and whether the data are up to date. */
const Head = (): ReactElement => {
  const search = useSearch({ from: '/wall' });
  const me = useMe();
  const state = useLiveState();
  const now = useNow();
  const about = [search.beamline, search.proposal].filter((name) => name !== undefined);
  const own = [...(me.data?.beamlines ?? []), ...(me.data?.proposals ?? [])];
  return (
    <header className={css.head}>
      <h1>{[about, own].find((names) => names.length > 0)?.join(' · ') ?? wallTexts.everything}</h1>
      {state.kind === 'stale' ? (
        <p className={css.stale} data-testid="wall-stale" role="alert">
          {wallTexts.stale(clockText(state.since))}
        </p>
      ) : (
        <LiveBadge />
      )}
      <time className={css.clock}>{clockText(now)}</time>
    </header>
  );
};

const Lists = ({ view, fits }: { readonly view: WallView; readonly fits: number }): ReactElement => {
  const { definitions, isPending } = useDefinitions();
  // Metric names that change a moment later would be misread.
  if (isPending) return <></>;
  const { running, waiting, ended } = wallGroups(view.sessions);
  return (
    <div className={css.lists}>
      <WallList name={wallTexts.running} kind="running" rows={running} fits={fits} none={wallTexts.noneRunning}>
        {(row) => <RunningRow row={row} definitions={definitions} />}
      </WallList>
      <WallList name={wallTexts.ended} kind="ended" rows={ended.slice(0, 5)} fits={5} none={wallTexts.noneEnded}>
        {(row) => <EndedRow row={row} definitions={definitions} />}
      </WallList>
      <WallList
        name={wallTexts.waiting}
        kind="waiting"
        rows={waiting.slice(0, 3)}
        fits={3}
        none={wallTexts.noneWaiting}
      >
        {(row) => <WaitingRow row={row} />}
      </WallList>
    </div>
  );
};

/** For an unattended screen: large, dark, and without controls. */
export const WallPage = (): ReactElement => {
  const search = useSearch({ from: '/wall' });
  const view = useQuery({
    queryKey: ['wall', search],
    queryFn: ({ signal }) => api.json('GET /v1/wall', { query: { ...search } }, { signal }),
    refetchInterval: askMs,
    refetchIntervalInBackground: true,
  });
  // Only the next one: a wall has space for one.
  const announced = useMaintenance().slice(0, 1);
  useTitle(wallTexts.name);
  useNewBuild();
  return (
    <div className={css.wall} data-testid="wall" data-mantine-color-scheme="dark">
      <Head />
      {view.data !== undefined && (
        <>
          <MaintenanceBanner windows={announced} />
          <LaunchBanner launches={view.data.counts.launches} />
          <Counters counts={view.data.counts} />
          <Lists view={view.data} fits={8 - announced.length - Number(isHeld(view.data.counts.launches))} />
        </>
      )}
      {view.data === undefined && view.error !== null && (
        <Failure error={view.error} onAgain={() => void view.refetch()} />
      )}
    </div>
  );
};
