import type { AuditEntry } from '@fleet/contracts/audit';
import { type Action, actions, type openActions } from '@fleet/contracts/route';

type AuditedAction = Action | (typeof openActions)[number];

/** Whether the access policy contains it. */
export const isPolicyAction = (action: AuditedAction): action is Action => actions.some((one) => one === action);

/** Facts about a request for the audit log, collected during the request and written at its end. */
export interface AuditNote extends Partial<Pick<AuditEntry, 'object' | 'before' | 'after' | 'code' | 'files'>> {
  readonly action?: AuditedAction;
  /** Access was denied. */
  readonly denied?: boolean;
}

const notes = new WeakMap<object, AuditNote>();

export const noteOf = (request: object): AuditNote => notes.get(request) ?? {};

/**
 * Adds facts about a request to the audit log. Each route that changes something adds what it changed: a few members,
 * no secrets, no advice texts.
 */
export const noteForAudit = (request: object, note: AuditNote): void => {
  notes.set(request, { ...noteOf(request), ...note });
};
