import type { AuditEntry } from '@fleet/contracts/audit';
import { type Action, actions, type openActions } from '@fleet/contracts/route';

type AuditedAction = Action | (typeof openActions)[number];

/** Whether the policy knows it. */
export const isPolicyAction = (action: AuditedAction): action is Action => actions.some((one) => one === action);

/** What is known of a request beside what it is: collected while it is worked on, written down at its end. */
export interface AuditNote extends Partial<Pick<AuditEntry, 'object' | 'before' | 'after' | 'code' | 'files'>> {
  readonly action?: AuditedAction;
  /** It did not get past the door. */
  readonly denied?: boolean;
}

const notes = new WeakMap<object, AuditNote>();

export const noteOf = (request: object): AuditNote => notes.get(request) ?? {};

/**
 * Says more of a request for the audit log. Each address that changes something says what it changed: a few members, no secrets, no texts of
 * advice.
 */
export const noteForAudit = (request: object, note: AuditNote): void => {
  notes.set(request, { ...noteOf(request), ...note });
};
