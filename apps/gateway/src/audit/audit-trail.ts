import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ruleOf, type Action } from '@fleet/access';
import { failureText, type AuditEntry, type AuditOutcome } from '@fleet/contracts';
import { AUDIT_LOG, CLOCK, isoTime, type AuditLog, type Clock } from '@fleet/ports';
import { clientAddress } from '../http/client-address';
import type { HttpRequest } from '../http/http-types';
import { nameOfPrincipal } from '../access/principal-of';
import { isPolicyAction, noteOf, type AuditNote } from './audit-note';

/** Milliseconds that a request waits for the disk. */
const patienceMs = 2_000;
/** Milliseconds in which the same denial of the same reader is written once. */
const sameDenialMs = 60_000;
const mostDenials = 10_000;
const longestAddress = 300;

type AuditedRequest = Pick<HttpRequest, 'id' | 'method' | 'url' | 'ip' | 'socket'> & { readonly params?: unknown };

const readingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request leaves something changed, by its method and by what it asks for. A handler of pieces says itself when they make a change. */
export const isChange = (method: string, action: Action): boolean => {
  const { scope, piecewise = false } = ruleOf(action);
  return !readingMethods.includes(method) && !piecewise && !['read', 'decide'].includes(scope);
};

const outcomeOf = (status: number, isDenied: boolean): AuditOutcome => {
  if (isDenied || status === 401 || status === 403) return 'denied';
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
};

const pathOf = (url: string): string => (url.split('?')[0] ?? '').slice(0, longestAddress);

/** What an address names: `session 01…`, `batch …`, `key …`. */
const objectOf = ({ url, params }: AuditedRequest, action: AuditNote['action']): string => {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : undefined;
  if (typeof id !== 'string' || id === '') return '';
  const on = action === undefined || !isPolicyAction(action) ? 'service' : ruleOf(action).on;
  const parts = pathOf(url).split('/');
  const kind = parts[parts.indexOf(encodeURIComponent(id)) - 1]?.replace(/s$/, '') ?? '';
  return `${on === 'service' ? kind : on} ${id.slice(0, 100)}`.trim();
};

/**
 * Writes the audit log. A change is written before it is made, as unknown, and again with what became of it before the client hears: a gateway
 * that dies in between leaves the first. An entry that cannot be written goes to the log of the service, whole, and the request goes on: when
 * the disk is full somebody has to be able to pause, cancel and revoke.
 */
@Injectable()
export class AuditTrail implements OnApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly begun = new WeakMap<object, AuditEntry>();
  private readonly denials = new Map<string, number>();

  constructor(
    @Inject(AUDIT_LOG) private readonly log: AuditLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async begin(request: AuditedRequest): Promise<void> {
    const entry = this.entryOf(request, 'unknown');
    this.begun.set(request, entry);
    await this.write(entry, false);
  }

  /** Whether `finish` has something to write. */
  concerns(request: AuditedRequest, status: number): boolean {
    return this.begun.has(request) || status === 401 || status === 403 || noteOf(request).denied === true;
  }

  /** @param status of the answer, which is sent afterwards */
  async finish(request: AuditedRequest, status: number): Promise<void> {
    const { code, denied = false } = noteOf(request);
    const begun = this.begun.get(request);
    this.begun.delete(request);
    const entry = {
      ...this.entryOf(request, outcomeOf(status, denied)),
      ...(begun !== undefined && { id: begun.id, at: begun.at }),
      ...(code !== undefined && status >= 400 && { code }),
    };
    if (begun === undefined && readingMethods.includes(request.method) && this.isSaid(entry)) return;
    await this.write(entry, true);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.log.close();
  }

  private entryOf(request: AuditedRequest, outcome: AuditOutcome): AuditEntry {
    const { action, object, before, after } = noteOf(request);
    return {
      id: randomBytes(8).toString('hex'),
      at: isoTime(this.clock),
      who: nameOfPrincipal(request),
      action: action ?? '',
      address: `${request.method} ${pathOf(request.url)}`,
      object: object ?? objectOf(request, action),
      outcome,
      request: request.id,
      from: clientAddress(request),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
  }

  /** A program that goes on asking for what it may not see is written down once a minute. */
  private isSaid({ who, from, address, code = '' }: AuditEntry): boolean {
    const now = this.clock.now();
    const key = [who, from, address, code].join('\n');
    if (now - (this.denials.get(key) ?? -Infinity) < sameDenialMs) return true;
    if (this.denials.size >= mostDenials) this.denials.clear();
    this.denials.set(key, now);
    return false;
  }

  private async write(entry: AuditEntry, durable: boolean): Promise<void> {
    const over = new AbortController();
    const late = pause(patienceMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`the disk did not answer within ${String(patienceMs)} ms`);
    });
    try {
      await Promise.race([this.log.write(entry, durable), late]);
    } catch (error) {
      this.logger.error({ message: 'an entry of the audit log was not written', entry, reason: failureText(error) });
    } finally {
      over.abort();
    }
  }
}
