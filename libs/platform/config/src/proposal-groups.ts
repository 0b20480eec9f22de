import { mistakesIn, type Schema } from '@fleet/contracts/schema';
import { ConfigError } from './config.error';
import type { SharesConfig } from './process-sections';

/** Proposals that metrics count together: a name, and patterns of proposal names (`mx*`). */
export interface ProposalGroup {
  readonly name: string;
  readonly patterns: readonly string[];
}

const variable = 'FLEET_PROPOSAL_GROUPS';

/** Each is a label value of metrics, so their number is limited. */
const schema: Schema<Readonly<Record<string, readonly string[]>>> = {
  type: 'object',
  maxProperties: 20,
  propertyNames: {
    type: 'string',
    pattern: '^(?!other$)[a-z][a-z0-9_-]{0,31}$',
    'x-allowed': 'small letters, digits, - and _; not `other`',
  },
  additionalProperties: {
    type: 'array',
    minItems: 1,
    maxItems: 100,
    items: {
      type: 'string',
      pattern: '^[A-Za-z0-9._-]{0,64}\\*?$',
      minLength: 1,
      'x-allowed': 'a proposal, or its beginning and *',
    },
  },
};

/**
 * Groups of proposals, in matching order.
 * @throws ConfigError with all problems
 */
export const proposalGroupsOf = ({
  proposalGroups,
}: Pick<SharesConfig, 'proposalGroups'>): readonly ProposalGroup[] => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(proposalGroups);
  } catch (error) {
    throw new ConfigError([{ variable, reason: `is not JSON: ${String(error)}` }]);
  }
  const problems = mistakesIn(schema, parsed).map(({ field, reason, allowed }) => ({
    variable,
    reason: `${field === '' ? 'the object' : field} ${reason}`,
    allowed,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.entries(parsed as Readonly<Record<string, readonly string[]>>).map(([name, patterns]) => ({
    name,
    patterns,
  }));
};

/** The first matching group; undefined if none matches. */
export const groupOfProposal = (groups: readonly ProposalGroup[], proposal: string): string | undefined =>
  groups.find(({ patterns }) =>
    patterns.some((one) => (one.endsWith('*') ? proposal.startsWith(one.slice(0, -1)) : proposal === one)),
  )?.name;
