import { plainLine } from '@fleet/session-report';

/** What a watcher tells. */
export interface WatchEvent {
  readonly event: 'watching' | 'submitted' | 'pending' | 'refused' | 'changed' | 'waits' | 'trouble' | 'away' | 'ended';
  /** Of the dataset, or of the watched folder. */
  readonly path: string;
  readonly session?: string;
  readonly reason?: string;
}

const detailOf = ({ session, reason }: WatchEvent): string =>
  [...(session === undefined ? [] : [`session ${session}`]), ...(reason === undefined ? [] : [reason])].join('; ');

/** Lines of a watcher: one for each thing that it does, and none for what it has told. */
export class WatchLog {
  private readonly told = new Map<string, string>();

  constructor(
    private readonly out: (text: string) => void,
    private readonly json: boolean,
    private readonly now: () => Date,
  ) {}

  tell(event: WatchEvent): void {
    const at = this.now().toISOString();
    const detail = detailOf(event);
    const line = plainLine(`${at} ${event.event} ${event.path}${detail === '' ? '' : `: ${detail}`}`);
    this.out(this.json ? `${JSON.stringify({ at, ...event })}\n` : `${line}\n`);
  }

  /** Of a path the same thing is told once, until something else is told of it. */
  tellOnce(event: WatchEvent): void {
    const what = `${event.event} ${detailOf(event)}`;
    if (this.told.get(event.path) === what) return;
    this.told.set(event.path, what);
    this.tell(event);
  }

  /** What was told of it is over. */
  over(path: string): void {
    this.told.delete(path);
  }
}
