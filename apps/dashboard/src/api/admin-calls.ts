import type { QueryOf } from '@fleet/api-client';
import type { ApiKeysView, ApiKeyView, ApiKeyRequest, NewApiKey } from '@fleet/contracts/access';
import type { AuditPage } from '@fleet/contracts/audit';
import type {
  AdminView,
  LaunchState,
  LaunchRequest,
  OrphansView,
  RemovalView,
  SharesView,
} from '@fleet/contracts/launches';
import type {
  DeadStepsView,
  QueuedJobDetail,
  QueuedJobsPage,
  QueueName,
  QueuesView,
  StepsRetried,
} from '@fleet/contracts/queues';
import { api, isFailure } from './calls';

/** API calls of the administration pages. */

export const fetchAdminStatus = (signal: AbortSignal): Promise<AdminView> =>
  api.json('GET /v1/admin/status', {}, { signal });
export const setLaunches = (request: LaunchRequest): Promise<LaunchState> =>
  api.json('PUT /v1/admin/launch', { body: request });
export const fetchShares = (signal: AbortSignal): Promise<SharesView> =>
  api.json('GET /v1/admin/shares', {}, { signal });
export const fetchOrphans = (signal: AbortSignal): Promise<OrphansView> =>
  api.json('GET /v1/admin/orphans', {}, { signal });
export const removeOrphans = (): Promise<RemovalView> => api.json('POST /v1/admin/orphans/removal', { body: {} });
export const fetchDeadSteps = (signal: AbortSignal): Promise<DeadStepsView> =>
  api.json('GET /v1/admin/steps', { query: { limit: 20 } }, { signal });
export const retrySteps = (cause: string): Promise<StepsRetried> =>
  api.json('POST /v1/admin/steps/retry', { body: { cause } });
export const fetchAudit = (query: QueryOf<'GET /v1/admin/audit'>, signal: AbortSignal): Promise<AuditPage> =>
  api.json('GET /v1/admin/audit', { query }, { signal });

export const fetchQueues = (signal: AbortSignal): Promise<QueuesView> =>
  api.json('GET /v1/admin/queues', {}, { signal });
export const fetchQueuedJobs = (
  queue: QueueName,
  query: QueryOf<'GET /v1/admin/queues/{queue}/jobs'>,
  signal: AbortSignal,
): Promise<QueuedJobsPage> => api.json('GET /v1/admin/queues/{queue}/jobs', { path: { queue }, query }, { signal });
export const fetchQueuedJob = (queue: QueueName, job: string, signal: AbortSignal): Promise<QueuedJobDetail> =>
  api.json('GET /v1/admin/queues/{queue}/jobs/{job}', { path: { queue, job } }, { signal });
export const hastenJob = (queue: QueueName, job: string): Promise<QueuedJobDetail> =>
  api.json('POST /v1/admin/queues/{queue}/jobs/{job}/promotion', { path: { queue, job } });

export const fetchKeys = (signal: AbortSignal): Promise<ApiKeysView> => api.json('GET /v1/admin/keys', {}, { signal });
export const createKey = (request: ApiKeyRequest): Promise<NewApiKey> =>
  api.json('POST /v1/admin/keys', { body: request });
export const revokeKey = (id: string): Promise<ApiKeyView> =>
  api.json('POST /v1/admin/keys/{id}/revocation', { path: { id } });

/** One part of the service, and its health. */
export interface Probe {
  readonly name: string;
  readonly isUp: boolean;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The OpenAPI document leaves the details of a part open. */
interface Ready {
  readonly details: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The health of every part; for an unready service only the failed parts. */
export const fetchHealth = async (signal: AbortSignal): Promise<readonly Probe[]> => {
  try {
    const { details } = (await api.json('GET /health/ready', {}, { signal })) as unknown as Ready;
    return Object.entries(details).map(([name, { status, ...detail }]) => ({ name, isUp: status === 'up', detail }));
  } catch (error) {
    if (!isFailure(error, 503)) throw error;
    return (error.problem?.problems ?? []).map(({ field, reason }) => ({
      name: field,
      isUp: false,
      detail: { reason },
    }));
  }
};
