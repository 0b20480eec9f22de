import type { AuditEntry } from '@fleet/contracts/audit';
import { attendants, ruleOf, type Action } from '@fleet/contracts/route';

/** Milliseconds in which the same denial of the same reader is written once. */
const sameDenialMs = 60_000;
/** Milliseconds in which the same read of the same reader is written once; see docs/audit.md. */
const sameReadMs = 10 * 60_000;

const readingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export const isReading = (method: string): boolean => readingMethods.includes(method);

/** Whether a request leaves something changed, by its method and by what it asks for. A handler of pieces says itself when they make a change. */
export const isChange = (method: string, action: Action): boolean =>
  !isReading(method) && ruleOf(action).audited === 'always';

/** What the audit log says of an answer. */
export interface AuditedAnswer {
  readonly status: number;
  /** Of its body, where they are known before. */
  readonly bytes?: number | undefined;
  /** A piece of a log or a range of a file: more of them follow. */
  readonly isPart?: boolean;
}

/** How a read is written. */
export interface Reading {
  /** Reads of one key are written once in a while; absent: each. */
  readonly key?: string;
  readonly withinMs: number;
  /** It may not leave unless it is written. */
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
