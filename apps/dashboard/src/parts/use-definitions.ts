import { useQuery } from '@tanstack/react-query';
import type { MetricDefinitions } from '@fleet/session-report';
import { fetchMetrics } from '../api/calls';

const none: MetricDefinitions = {};

/** Names, units and bands of metrics; none while they are pending, and if they cannot be fetched. */
export const useDefinitions = (): { readonly definitions: MetricDefinitions; readonly isPending: boolean } => {
  const { data, isPending } = useQuery({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => fetchMetrics(signal),
    staleTime: Infinity,
  });
  return { definitions: data?.metrics ?? none, isPending };
};
