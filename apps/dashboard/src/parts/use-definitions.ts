import { useQuery } from '@tanstack/react-query';
import type { MetricDefinitions } from '@fleet/session-report';
import { api } from '../api/calls';

const none: MetricDefinitions = {};

/** Names, units and bands of metrics; none while they are pending, and if they cannot be fetched. */
export const useDefinitions = (): { readonly definitions: MetricDefinitions; readonly isPending: boolean } => {
  const { data, isPending } = useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => api.json('GET /v1/metrics', {}, { signal }),
    staleTime: Infinity,
  });
  return { definitions: data?.metrics ?? none, isPending };
};
