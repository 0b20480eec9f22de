import { join } from 'node:path';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';

let known: Promise<RuleBook> | undefined;

/** The knowledge of this project, read once by each worker of Jest: a quarter of a second of its processor. Nobody can change it. */
export const projectRules = (): Promise<RuleBook> => (known ??= loadRuleBook(join(__dirname, '../../../knowledge')));
