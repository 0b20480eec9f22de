import {
  endsBeforeFolder,
  retentionRulesSchema,
  retentionRuleText,
  type RetentionRule,
} from '@fleet/contracts/retention';
import { mistakesIn } from '@fleet/contracts/schema';
import { ConfigError } from './config.error';
import { TextVariable } from './variable.decorator';

const variable = 'FLEET_RETENTION';

/** Retention of ended sessions. Read only by the gateway. */
export class RetentionConfig {
  @TextVariable(variable, {
    what: 'retention of folders and records of ended sessions, as JSON: `[{"outcome": "solved", "folder": "365d", "record": "never"}]`. The first matching rule applies; without a match nothing is deleted (docs/retention.md)',
    default: '[]',
    pattern: /^\s*\[[\s\S]*\]\s*$/,
    allowed: 'a JSON array of rules with folder, record and optionally outcome and priority',
  })
  readonly retention: string;
}

/**
 * The rules, in order.
 * @throws ConfigError with all problems
 */
export const retentionOf = ({ retention }: RetentionConfig): readonly RetentionRule[] => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(retention);
  } catch (error) {
    throw new ConfigError([{ variable, reason: `is not JSON: ${String(error)}` }]);
  }
  const problems = mistakesIn(retentionRulesSchema, parsed).map(({ field, reason, allowed }) => ({
    variable,
    reason: `${field === '' ? 'the array' : `rule ${field}`} ${reason}`,
    allowed,
  }));
  if (problems.length > 0) throw new ConfigError(problems);
  const rules = parsed as readonly RetentionRule[];
  const early = rules.filter(endsBeforeFolder);
  if (early.length > 0)
    throw new ConfigError(
      early.map((rule) => ({
        variable,
        reason: `"${retentionRuleText(rule)}" deletes the record before the folder`,
        allowed: 'a record that is kept at least as long as its folder',
      })),
    );
  return rules;
};
