import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { SyslogCollector } from '@fleet/config';
import type { AuditEntry } from '@fleet/contracts/audit';
import { failureText } from '@fleet/contracts/faults';
import { Logger } from '@nestjs/common';
import { untilAborted } from '../../http/until-aborted';
import type { AuditForwarder } from './forwarded-audit-log';
import { syslogMessage } from './syslog-message';

interface Patience {
  /** Maximum entries that wait for the collector; further ones are dropped. */
  readonly mostWaiting: number;
  /** Pause before the first retry in milliseconds; doubled each time, up to `longestPauseMs`. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  /** An idle or blocked connection is closed after this time, in milliseconds. */
  readonly silenceMs: number;
  /** How long a stopping gateway waits for the collector, in milliseconds. */
  readonly farewellMs: number;
  /** Certificate authorities in addition to Node's; for tests. */
  readonly ca?: string;
}

const usual: Patience = {
  mostWaiting: 10_000,
  pauseMs: 1_000,
  longestPauseMs: 60_000,
  silenceMs: 30_000,
  farewellMs: 2_000,
};
/** Entries sent at once. */
const mostAtOnce = 100;

/**
 * Sends entries to a syslog collector on a best-effort basis; a bounded number waits while it is unreachable. TCP does
 * not confirm what the collector has read: entries in progress when a connection breaks may be lost or duplicated.
 */
export class SyslogForwarder implements AuditForwarder {
  private readonly logger = new Logger('Audit');
  private readonly patience: Patience;
  private readonly waiting: Buffer[] = [];
  private readonly ending = new AbortController();
  private sending: Promise<void> | undefined;
  private socket: Socket | undefined;

  /** @param onLost called with the number of dropped entries */
  constructor(
    private readonly collector: SyslogCollector,
    private readonly onLost: (count: number) => void,
    patience: Partial<Patience> = {},
  ) {
    this.patience = { ...usual, ...patience };
  }

  take(entry: AuditEntry): void {
    if (this.waiting.length >= this.patience.mostWaiting || this.ending.signal.aborted) {
      this.onLost(1);
      return;
    }
    this.waiting.push(syslogMessage(entry));
    this.sending ??= this.send();
  }

  async close(): Promise<void> {
    const over = new AbortController();
    const late = pause(this.patience.farewellMs, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.sending, late]);
    over.abort();
    this.ending.abort();
    this.socket?.destroy();
    await this.sending;
    if (this.waiting.length > 0) this.onLost(this.waiting.splice(0).length);
  }

  private async send(): Promise<void> {
    for (let failures = 0; this.waiting.length > 0 && !this.ending.signal.aborted;) {
      try {
        const some = this.waiting.slice(0, mostAtOnce);
        await write((this.socket ??= await this.connect()), Buffer.concat(some));
        this.waiting.splice(0, some.length);
        if (failures > 0) this.logger.log('the collector of the audit log accepts entries again');
        failures = 0;
      } catch (error) {
        this.socket?.destroy();
        this.socket = undefined;
        if (failures === 0) this.logger.warn(`the audit log is not forwarded: ${failureText(error)}`);
        await this.rest(failures);
        failures += 1;
      }
    }
    this.sending = undefined;
  }

  private async rest(failures: number): Promise<void> {
    const { pauseMs, longestPauseMs } = this.patience;
    const ms = Math.min(pauseMs * 2 ** Math.min(failures, 30), longestPauseMs);
    const { signal } = this.ending;
    await untilAborted(pause(ms, undefined, { ref: false, signal }), signal);
  }

  private async connect(): Promise<Socket> {
    const { host, port, tls } = this.collector;
    const { silenceMs, ca } = this.patience;
    const named = { host, port, ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) };
    const socket = tls ? connectTls(named) : connectTcp({ host, port });
    const forget = (): void => {
      if (this.socket === socket) this.socket = undefined;
    };
    // A write in progress gets the error itself; between two writes the connection is replaced.
    socket.on('error', forget).on('end', forget).on('close', forget);
    socket.setTimeout(silenceMs, () =>
      socket.destroy(new Error(`${host} accepted no data for ${String(silenceMs)} ms`)),
    );
    socket.resume();
    try {
      await once(socket, tls ? 'secureConnect' : 'connect', { signal: this.ending.signal });
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
}

const write = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((done, failed) => {
    socket.write(bytes, (error) => {
      if (error) failed(error);
      else done();
    });
  });
