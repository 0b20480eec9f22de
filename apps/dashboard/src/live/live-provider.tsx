import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import type { SessionUpdate, SessionPage, SessionRow, WallRow, WallView } from '@fleet/contracts/sessions';
import { toWallRow } from '@fleet/session-report';
import { changesLists, withRows } from './apply-updates';
import { LiveConnection, type LiveState } from './live-connection';

const LiveContext = createContext<LiveState>({ kind: 'connecting' });
export const useLiveState = (): LiveState => useContext(LiveContext);

/** Milliseconds in which updates are collected, which limits how often a page is rendered. */
const gatherMs = 400;

/** The row fields that a wall shows. */
const onWall = (rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, WallRow> =>
  new Map([...rows].map(([id, row]) => [id, toWallRow(row)]));

/** Collects updates and applies them to the page's cached data. */
class UpdateQueue {
  private readonly rows = new Map<string, SessionRow>();
  private listsChange = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  take(update: SessionUpdate): void {
    this.rows.set(update.session.id, update.session);
    this.listsChange ||= changesLists(update);
    this.timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private flush(): void {
    this.timer = undefined;
    const moved = new Map(this.rows);
    this.rows.clear();
    this.queries.setQueriesData<SessionPage>({ queryKey: ['sessions'] }, (page) => page && withRows(page, moved));
    this.queries.setQueriesData<WallView>({ queryKey: ['wall'] }, (view) => view && withRows(view, onWall(moved)));
    for (const id of moved.keys()) void this.queries.invalidateQueries({ queryKey: ['session', id] });
    for (const list of ['sessions', 'counts'])
      if (this.listsChange) void this.queries.invalidateQueries({ queryKey: [list] });
    this.listsChange = false;
  }
}

/**
 * One stream for the page.
 * @param entry changes after a new login, which restarts the stream
 */
export const LiveProvider = ({
  entry,
  children,
}: {
  readonly entry: number;
  readonly children: ReactNode;
}): ReactElement => {
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>({ kind: 'connecting' });
  useEffect(() => {
    const queue = new UpdateQueue(queries);
    const connection = new LiveConnection({
      moved: (update) => queue.take(update),
      reload: () => {
        for (const key of ['sessions', 'counts', 'session', 'wall'])
          void queries.invalidateQueries({ queryKey: [key] });
      },
      refused: () => void queries.invalidateQueries({ queryKey: ['me'] }),
      changed: setState,
    });
    const wake = (): void => {
      if (document.visibilityState === 'visible') connection.wake();
    };
    document.addEventListener('visibilitychange', wake);
    void connection.run();
    return () => {
      document.removeEventListener('visibilitychange', wake);
      connection.stop();
      queue.stop();
    };
  }, [queries, entry]);
  return <LiveContext value={state}>{children}</LiveContext>;
};
