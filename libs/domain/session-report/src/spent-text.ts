import type { Spent } from '@fleet/contracts/results';
import { counted } from './plain-text';

/** The usage of requests to models, for people: number, tokens, and the known part of the cost. */
export const spentText = ({ requests, inputTokens, outputTokens, cost, unpriced }: Spent): string => {
  const priced = requests - unpriced;
  const unknown = unpriced === 0 ? '' : `; what ${counted(unpriced, 'request')} cost is not known`;
  const costs = priced === 0 ? '' : `, cost ${cost.toFixed(4)}`;
  return `${counted(requests, 'request')} to models, ${String(inputTokens)} tokens in, ${String(outputTokens)} out${costs}${unknown}`;
};
