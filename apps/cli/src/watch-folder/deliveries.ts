import { isCliError, type CliError } from '../cli-error';
import type { GatewayClient } from '../client/gateway-client';
import { sendSubmission } from '../client/send-submission';
import type { Dataset } from './dataset';
import type { WatchLog } from './watch-log';
import type { DatasetNote, WatchNotes } from './watch-notes';

/** Dependencies of a delivery. */
export interface DeliveryTools {
  /** The name of the watch: part of each idempotency key. */
  readonly watch: string;
  readonly client: GatewayClient;
  readonly notes: WatchNotes;
  readonly log: WatchLog;
  readonly ended: AbortSignal;
}

/** Statuses that do not concern the submission: log in first, retry later. */
const passing: ReadonlySet<unknown> = new Set([401, 404, 408, 425, 429]);

/** Whether a repeated submission would be rejected again. */
const isForGood = ({ document }: CliError): boolean => {
  const status = document['status'];
  return typeof status === 'number' && status >= 400 && status < 500 && !passing.has(status);
};

/**
 * Sends datasets to the gateway. The note is written before a submission is sent: after a crash in between, the next
 * watcher repeats it with the same idempotency key. While the gateway is unreachable, the note stays `pending` and each
 * round retries.
 */
export class Deliveries {
  private away = false;

  constructor(private readonly tools: DeliveryTools) {}

  /** Begins a round: the gateway may be back. */
  begin(): void {
    this.away = false;
  }

  /** @param note with its key; an earlier request with it was the same submission */
  async add(dataset: Dataset, note: DatasetNote): Promise<void> {
    await this.tools.notes.put({ ...note, state: 'pending' });
    await this.send(dataset, note);
  }

  /** @param note stored as `pending` */
  async send(dataset: Dataset, note: DatasetNote): Promise<void> {
    const { log, client, ended } = this.tools;
    if (!this.away) {
      try {
        const { id } = await sendSubmission(client, { body: dataset.body, key: note.key }, ended);
        await this.submitted(note, id);
        return;
      } catch (error) {
        if (!isCliError(error)) throw error;
        if (isForGood(error)) {
          await this.refused(note, error);
          return;
        }
        // The next dataset would fail too.
        this.away = true;
        log.reportOnce({ event: 'away', path: client.server, reason: error.message });
      }
    }
    log.reportOnce({ event: 'pending', path: note.path, reason: 'it will be submitted when the gateway responds' });
  }

  private async submitted(note: DatasetNote, session: string): Promise<void> {
    const { notes, log, client } = this.tools;
    await notes.put({ ...note, state: 'submitted', session });
    log.over(client.server);
    log.over(note.path);
    log.report({ event: 'submitted', path: note.path, session });
  }

  private async refused(note: DatasetNote, { message, details }: CliError): Promise<void> {
    const reason = [message, ...details.map((line) => line.trim())].join(' ');
    await this.tools.notes.put({ ...note, state: 'refused', reason });
    this.tools.log.report({ event: 'refused', path: note.path, reason });
  }
}
