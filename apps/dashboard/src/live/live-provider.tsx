import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import type { SessionUpdate, SessionPage, SessionRow, WallRow, WallView } from '@fleet/contracts/sessions';
import { toWallRow } from '@fleet/session-report';
import { changesLists, withRows } from './apply-updates';
import { LiveConnection, type LiveState } from './live-connection';

const LiveContext = createContext<LiveState>({ kind: 'connecting' });
export const useLiveState = (): LiveState => useContext(LiveContext);

/** Milliseconds in which moves are gathered: a page is drawn that often, however many come. */
const gatherMs = 400;

/** What a wall shows of rows. */
const onWall = (rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, WallRow> =>
  new Map([...rows].map(([id, row]) => [id, toWallRow(row)]));

/** Brings moves into what the page has read, gathered. */
class UpdateQueue {
  private readonly rows = new Map<string, SessionRow>();
  private listsChange = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  take(update: SessionUpdate): void {
    this.rows.set(update.session.id, update.session);
    this.listsChange ||= changesLists(update);
    this.timer ??= setTimeout(() => {
      this.flush();
    }, gatherMs);
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
 * One stream for the page, whatever it shows.
 * @param entry another one: somebody came in again, and the stream is begun again
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
      moved: (update) => {
        queue.take(update);
      },
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
