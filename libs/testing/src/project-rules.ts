import { join } from 'node:path';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';

let known: RuleBook | undefined;

/**
 * The knowledge of this project, read once per Jest worker, because it takes a quarter of a second of processor time.
 * It is immutable.
 */
export const projectRules = (): RuleBook => (known ??= loadRuleBook(join(__dirname, '../../../knowledge')));
