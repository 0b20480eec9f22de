import { api, isFailure } from './calls';

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
