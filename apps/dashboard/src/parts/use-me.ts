import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { MeView } from '@fleet/contracts/access';
import { fetchMe } from '../api/calls';

/** The user, and what they may do. */
export const useMe = (): UseQueryResult<MeView> =>
  useQuery({ queryKey: ['me'], queryFn: ({ signal }) => fetchMe(signal), staleTime: Infinity });
