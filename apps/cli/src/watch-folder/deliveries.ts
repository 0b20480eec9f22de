import { isCliError } from '../cli-error';
import type { GatewayClient } from '../client/gateway-client';
import { changesOf } from '../spool/noted-files';
import type { Spool } from '../spool/spool';
import { newEntry, type SpoolEntry } from '../spool/spool-entry';
import { tryEntry } from '../spool/try-entry';
import type { Dataset } from './dataset';
import type { WatchLog } from './watch-log';
import type { DatasetNote, WatchNotes } from './watch-notes';

/** What a delivery needs. */
export interface DeliveryTools {
  /** Names the watch in the spool. */
  readonly watch: string;
  readonly client: GatewayClient;
  readonly spool: Spool;
  readonly notes: WatchNotes;
  readonly log: WatchLog;
  readonly ended: AbortSignal;
}

/**
 * Datasets on their way to the gateway, each through the spool. A note says what is about to be done before it is done: whatever dies in
 * between, the next watcher goes on with the same idempotency key.
 */
export class Deliveries {
  private away = false;
  /** Ids of what the spool holds for this watch. */
  private readonly kept = new Set<string>();
  private readonly stale = new Set<string>();

  constructor(private readonly tools: DeliveryTools) {}

  /** Sends what earlier rounds have kept. */
  async sendKept(): Promise<void> {
    const { spool, watch, client } = this.tools;
    this.away = false;
    this.stale.clear();
    const entries = (await spool.entries()).filter((entry) => entry.watch === watch);
    this.kept.clear();
    for (const { id } of entries) this.kept.add(id);
    for (const entry of entries) {
      if (this.tools.ended.aborted) return;
      if (entry.server === client.server) await this.send(entry);
    }
  }

  /** Whether the spool still has it, with its files as they were. */
  isKept({ key, path }: DatasetNote): boolean {
    return this.kept.has(key) && !this.stale.has(path);
  }

  /** Whether other hands have taken it out of the spool. */
  async hasLeft({ key }: DatasetNote): Promise<boolean> {
    return !this.kept.has(key) && !(await this.tools.spool.has(key));
  }

  /** @param note with its key; what was sent under it before is the same submission */
  async handOver(dataset: Dataset, note: DatasetNote): Promise<void> {
    const { spool, notes, client, watch, log } = this.tools;
    await notes.put({ ...note, state: 'new' });
    const entry = await newEntry({ id: note.key, server: client.server, key: note.key, body: dataset.body, watch });
    await spool.put(entry);
    await notes.put({ ...note, state: 'spooled' });
    this.kept.add(entry.id);
    this.stale.delete(note.path);
    await this.send(entry);
    if (this.away) log.tellOnce({ event: 'kept', path: note.path, reason: 'it is sent when the gateway answers' });
  }

  private async send(entry: SpoolEntry): Promise<void> {
    const { client, notes, ended } = this.tools;
    const path = pathOf(entry);
    const note = await notes.fresh(path);
    if (this.away || note?.key !== entry.key) return;
    if ((await changesOf(entry.files)).length > 0) {
      this.stale.add(path);
      return;
    }
    const tried = await tryEntry(entry, client, ended);
    switch (tried.outcome) {
      case 'sent':
        await this.sent(entry, note, tried.session.id);
        return;
      case 'refused':
        await this.refused(entry, note, tried.error);
        return;
      case 'away':
        this.away = true;
        this.tools.log.tellOnce({ event: 'away', path: client.server, reason: tried.error.message });
    }
  }

  /** The note first: an entry that is still there is sent again, and is the same session. */
  private async sent(entry: SpoolEntry, note: DatasetNote, session: string): Promise<void> {
    const { spool, notes, log, client } = this.tools;
    await notes.put({ ...note, state: 'submitted', session });
    await spool.remove(entry.id);
    log.over(client.server);
    log.over(note.path);
    log.tell({ event: 'submitted', path: note.path, session });
  }

  private async refused(entry: SpoolEntry, note: DatasetNote, error: Error): Promise<void> {
    const { spool, notes, log } = this.tools;
    const details = isCliError(error) ? error.details : [];
    const reason = [error.message, ...details.map((line) => line.trim())].join(' ');
    await spool.refuse(entry, error.message, details);
    await notes.put({ ...note, state: 'refused', reason });
    log.tell({ event: 'refused', path: note.path, reason });
  }
}

const pathOf = ({ body }: SpoolEntry): string => {
  const files: unknown = Reflect.get(body, 'files');
  const first: unknown = Array.isArray(files) ? files[0] : undefined;
  return typeof first === 'string' ? first : '';
};
