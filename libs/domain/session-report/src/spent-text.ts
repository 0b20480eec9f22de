import type { Spent } from '@fleet/contracts';
import { counted } from './plain-text';

/** What requests to models have used, for people: how many, tokens, and the cost as far as it is known. */
export const spentText = ({ requests, inputTokens, outputTokens, cost, uncounted }: Spent): string => {
  const priced = requests - uncounted;
  const unknown = uncounted === 0 ? '' : `; what ${counted(uncounted, 'request')} cost is not known`;
  const costs = priced === 0 ? '' : `, cost ${cost.toFixed(4)}`;
  return `${counted(requests, 'request')} to models, ${String(inputTokens)} tokens in, ${String(outputTokens)} out${costs}${unknown}`;
};
