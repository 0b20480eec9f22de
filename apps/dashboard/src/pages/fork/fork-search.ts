import { isSessionId } from '../compare/compare-search';

/** URL parameters: the session and the cycle to fork. */
export interface ForkSearch {
  readonly from?: string;
  readonly cycle?: string;
}

const isCycle = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,4}$/.test(value);

export const readForkSearch = ({ from, cycle }: Readonly<Record<string, unknown>>): ForkSearch => ({
  ...(isSessionId(from) && { from }),
  ...(isCycle(cycle) && { cycle }),
});
