import { plainLine } from '@fleet/session-report';

/** An event reported by a watcher. */
export interface WatchEvent {
  readonly event: 'watching' | 'submitted' | 'pending' | 'refused' | 'changed' | 'waits' | 'trouble' | 'away' | 'ended';
  /** Of the dataset, or of the watched folder. */
  readonly path: string;
  readonly session?: string;
  readonly reason?: string;
}

const detailOf = ({ session, reason }: WatchEvent): string =>
  [...(session === undefined ? [] : [`session ${session}`]), ...(reason === undefined ? [] : [reason])].join('; ');

/** The log of a watcher: one line for each new event. */
export class WatchLog {
  private readonly reported = new Map<string, string>();

  constructor(
    private readonly out: (text: string) => void,
    private readonly json: boolean,
    private readonly now: () => Date,
  ) {}

  report(event: WatchEvent): void {
    const at = this.now().toISOString();
    const detail = detailOf(event);
    const line = plainLine(`${at} ${event.event} ${event.path}${detail === '' ? '' : `: ${detail}`}`);
    this.out(this.json ? `${JSON.stringify({ at, ...event })}\n` : `${line}\n`);
  }

  /** Reports an event of a path once, until another event of it is reported. */
  reportOnce(event: WatchEvent): void {
    const what = `${event.event} ${detailOf(event)}`;
    if (this.reported.get(event.path) === what) return;
    this.reported.set(event.path, what);
    this.report(event);
  }

  /** Forgets the last event of a path. */
  over(path: string): void {
    this.reported.delete(path);
  }
}
