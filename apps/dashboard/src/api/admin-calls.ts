import type {
  AdminView,
  AuditPage,
  LaunchState,
  LaunchWish,
  OrphansView,
  RemovalView,
  SharesView,
} from '@fleet/contracts';
import { ask, isFailure, json, send } from './calls';

/** What the page for administrators asks of the API. */

export const fetchAdminStatus = (signal: AbortSignal): Promise<AdminView> => json('v1/admin/status', signal);
export const setLaunches = (wish: LaunchWish): Promise<LaunchState> => send('v1/admin/launch', wish, { method: 'PUT' });
export const fetchShares = (signal: AbortSignal): Promise<SharesView> => json('v1/admin/shares', signal);
export const fetchOrphans = (signal: AbortSignal): Promise<OrphansView> => json('v1/admin/orphans', signal);
export const removeOrphans = (): Promise<RemovalView> => send('v1/admin/orphans/removal', {});
/** Entries by the parameters of `GET /v1/admin/audit`. */
export const fetchAudit = (parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<AuditPage> =>
  json(`v1/admin/audit?${new URLSearchParams(parameters).toString()}`, signal);

/** One part of the service, and how it is. */
export interface Probe {
  readonly name: string;
  readonly isUp: boolean;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface Ready {
  readonly details: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** How every part is; of a service that is out of order those that are the cause alone. */
export const fetchHealth = async (signal: AbortSignal): Promise<readonly Probe[]> => {
  try {
    const { details } = (await (await ask('health/ready', { signal })).json()) as Ready;
    return Object.entries(details).map(([name, { status, ...detail }]) => ({ name, isUp: status === 'up', detail }));
  } catch (error) {
    if (!isFailure(error, 503)) throw error;
    return error.problems.map(({ field, reason }) => ({ name: field, isUp: false, detail: { reason } }));
  }
};
