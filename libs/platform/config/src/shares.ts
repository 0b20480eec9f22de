import { sharesPolicySchema, sharesRequestSchema, type SharesPolicy } from '@fleet/contracts/launches';
import { mistakesIn, withDefaults } from '@fleet/contracts/schema';
import { ConfigError } from './config.error';
import type { SharesConfig } from './process-sections';

const variable = 'FLEET_SHARES';

/**
 * The shares until an administrator sets others; missing members have defaults.
 * @throws ConfigError with all problems
 */
export const sharesOf = ({ shares }: SharesConfig): SharesPolicy => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(shares);
  } catch (error) {
    throw new ConfigError([{ variable, reason: `is not JSON: ${String(error)}` }]);
  }
  const problems = mistakesIn(sharesRequestSchema, parsed).map(({ field, reason, allowed }) => ({
    variable,
    reason: `${field === '' ? 'the policy' : field} ${reason}`,
    allowed,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  return withDefaults(sharesPolicySchema, parsed) as SharesPolicy;
};
