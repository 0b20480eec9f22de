import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AuditEntry, AuditOutcome } from '@fleet/contracts/audit';
import { failureText } from '@fleet/contracts/faults';
import { ruleOf } from '@fleet/contracts/route';
import { AUDIT_LOG, CLOCK, isoTime, type AuditLog, type Clock } from '@fleet/ports';
import { clientIp } from '../../http/client-ip';
import type { HttpRequest } from '../../http/http-types';
import { nameOfPrincipal, roleOfPrincipal } from '../access/principal-of';
import { ApiError } from '../../http/errors/problem-details';
import { isPolicyAction, noteOf, type AuditNote } from '../../http/audit-note';
import { isReading, readingOf, type AuditedAnswer, type Reading } from './audited-reads';

/** How long a request waits for the disk, in milliseconds. */
const patienceMs = 2_000;
const mostRemembered = 10_000;
const longestAddress = 300;

type AuditedRequest = Pick<HttpRequest, 'id' | 'method' | 'url' | 'ip' | 'socket'> & { readonly params?: unknown };

const outcomeOf = (status: number, isDenied: boolean): AuditOutcome => {
  if (isDenied || status === 401 || status === 403) return 'denied';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
};

const pathOf = (url: string): string => (url.split('?')[0] ?? '').slice(0, longestAddress);

/** The subject of a URL: `session 01…`, `batch …`, `key …`. */
const objectOf = ({ url, params }: AuditedRequest, action: AuditNote['action']): string => {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : undefined;
  if (typeof id !== 'string' || id === '') return '';
  const on = action === undefined || !isPolicyAction(action) ? 'service' : ruleOf(action).on;
  const parts = pathOf(url).split('/');
  const kind = parts[parts.indexOf(encodeURIComponent(id)) - 1]?.replace(/s$/, '') ?? '';
  return `${on === 'service' ? kind : on} ${id.slice(0, 100)}`.trim();
};

const unwritable = (): ApiError =>
  new ApiError(
    'audit.unwritable',
    'Nothing was sent: each download must be in the audit log, which cannot be written at the moment. Try again, and tell the operators if the problem persists.',
  );

/**
 * Writes the audit log. A change is written before it is made, with unknown outcome, and again with its outcome before
 * the response: a gateway that crashes in between leaves the first entry. An entry that cannot be written goes to the
 * service log in full, and the request continues: on a full disk an administrator must be able to pause, cancel and
 * revoke. Reads are written before the response is sent, and a download that cannot be written is not sent.
 */
@Injectable()
export class AuditTrail implements OnApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly begun = new WeakMap<object, AuditEntry>();
  private readonly reads = new WeakSet();
  /** When a read was last written. */
  private readonly written = new Map<string, number>();

  constructor(
    @Inject(AUDIT_LOG) private readonly log: AuditLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async begin(request: AuditedRequest): Promise<void> {
    const entry = this.entryOf(request, 'unknown');
    this.begun.set(request, entry);
    await this.write(entry, false);
  }

  /** A permitted read begins. */
  beginRead(request: object): void {
    this.reads.add(request);
  }

  /** Whether `finish` may have something to write. */
  concerns(request: AuditedRequest, status: number): boolean {
    const isDenied = status === 401 || status === 403 || noteOf(request).denied === true;
    return this.begun.has(request) || this.reads.has(request) || isDenied;
  }

  /**
   * @param answer sent afterwards
   * @throws ApiError `audit.unwritable` for a download, which must not be sent then
   */
  async finish(request: AuditedRequest, answer: AuditedAnswer): Promise<void> {
    const { code, denied = false } = noteOf(request);
    const begun = this.begun.get(request);
    this.begun.delete(request);
    const entry = {
      ...this.entryOf(request, outcomeOf(answer.status, denied)),
      ...(begun !== undefined && { id: begun.id, at: begun.at }),
      ...(code !== undefined && answer.status >= 400 && { code }),
    };
    if (begun === undefined && isReading(request.method)) await this.finishRead(request, entry, answer);
    else await this.write(entry, true);
  }

  private async finishRead(request: AuditedRequest, entry: AuditEntry, answer: AuditedAnswer): Promise<void> {
    const { action, files } = noteOf(request);
    const { bytes, isPart = false } = answer;
    const isAudited = this.reads.delete(request) && action !== undefined && isPolicyAction(action);
    const reading = readingOf(entry, isAudited ? ruleOf(action).audited : 'never', isPart);
    const known = { ...entry, ...(bytes !== undefined && { bytes }), ...(files !== undefined && { files }) };
    if (reading !== undefined) await this.writeReading(known, reading);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.log.close();
  }

  private entryOf(request: AuditedRequest, outcome: AuditOutcome): AuditEntry {
    const { action, object, before, after } = noteOf(request);
    const role = roleOfPrincipal(request);
    return {
      id: randomBytes(8).toString('hex'),
      at: isoTime(this.clock),
      who: nameOfPrincipal(request),
      ...(role !== undefined && { role }),
      action: action ?? '',
      endpoint: `${request.method} ${pathOf(request.url)}`,
      object: object ?? objectOf(request, action),
      outcome,
      request: request.id,
      from: clientIp(request),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
  }

  private async writeReading(entry: AuditEntry, { key, withinMs, isDownload }: Reading): Promise<void> {
    // A clock that was set back ends the interval as well.
    if (key !== undefined && Math.abs(this.clock.now() - (this.written.get(key) ?? -Infinity)) < withinMs) return;
    // A download is remembered only after it is written: until then no other part of it may be sent.
    if (!isDownload) this.remember(key);
    const isWritten = await this.write(entry, true);
    if (!isDownload) return;
    if (!isWritten) throw unwritable();
    this.remember(key);
  }

  private remember(key: string | undefined): void {
    if (key === undefined) return;
    if (this.written.size >= mostRemembered) this.written.clear();
    this.written.set(key, this.clock.now());
  }

  private async write(entry: AuditEntry, durable: boolean): Promise<boolean> {
    const over = new AbortController();
    const late = pause(patienceMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`the disk did not answer within ${String(patienceMs)} ms`);
    });
    try {
      await Promise.race([this.log.write(entry, durable), late]);
      return true;
    } catch (error) {
      this.logger.error({ message: 'an entry of the audit log was not written', entry, reason: failureText(error) });
      return false;
    } finally {
      over.abort();
    }
  }
}
