import type { AuditEntry } from '@fleet/contracts/audit';
import { attendants, ruleOf, type Action } from '@fleet/contracts/route';

/** Milliseconds in which the same denial of the same caller is written once. */
const sameDenialMs = 60_000;
/** Milliseconds in which the same read of the same caller is written once; see docs/audit.md. */
const sameReadMs = 10 * 60_000;

const readingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export const isReading = (method: string): boolean => readingMethods.includes(method);

/** Whether a request changes something, by its method and its action. A handler of chunks marks its changes itself. */
export const isChange = (method: string, action: Action): boolean =>
  !isReading(method) && ruleOf(action).audited === 'always';

/** The audited properties of a response. */
export interface AuditedAnswer {
  readonly status: number;
  /** Of its body, if known in advance. */
  readonly bytes?: number | undefined;
  /** A part of a log or a range of a file: more of them follow. */
  readonly isPart?: boolean;
}

/** How a read is written. */
export interface Reading {
  /** Reads with the same key are written once per interval; absent: each. */
  readonly key?: string;
  readonly withinMs: number;
  /** It must not be sent unless it is written. */
  readonly isDownload: boolean;
}

/** Undefined: it is not written. */
export const readingOf = (
  { who, role, from, endpoint, action, object, outcome, code = '' }: AuditEntry,
  audited: ReturnType<typeof ruleOf>['audited'],
  isPart: boolean,
): Reading | undefined => {
  const same = (what: string): string => [who, from, what, code].join('\n');
  if (outcome === 'denied') return { key: same(endpoint), withinMs: sameDenialMs, isDownload: false };
  if (audited === 'always')
    return { ...(isPart && { key: same(endpoint) }), withinMs: sameReadMs, isDownload: outcome === 'done' };
  if (audited === 'sampled') return { key: same(endpoint), withinMs: sameReadMs, isDownload: false };
  if (audited !== 'attendants' || role === undefined || !attendants.includes(role)) return undefined;
  return { key: same(`${action} ${object}`), withinMs: sameReadMs, isDownload: false };
};
