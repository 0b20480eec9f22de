import type { SessionDirectives } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import type { ExperimentType } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import type { AdviceWords } from './compile-words';
import type { UnderstoodDirective } from './reading';
import type { SentenceFindings } from './sentence-findings';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type Section = 'stop_conditions' | 'file_preferences' | 'workflow_preferences';
type Parts = { readonly [Name in Section]: Writable<NonNullable<SessionDirectives[Name]>> };

/** The vocabulary, programs and experiment type for reading a text. */
export interface AdviceSources {
  readonly words: AdviceWords;
  readonly programs: RuleBook['programs'];
  readonly experiment: ExperimentType;
}

/** Directives while a text is read, each with its source words. */
export class Draft {
  readonly understood: UnderstoodDirective[] = [];
  readonly conflicts: string[] = [];
  /** Sentences that have contributed something. */
  readonly used = new Set<SentenceFindings>();
  readonly settings: Record<string, Record<string, StrategyValue>> = {};
  readonly parts: Parts = { stop_conditions: {}, file_preferences: {}, workflow_preferences: {} };

  /** Sets a directive once. The first of two values stays, and the conflict is reported with `twice`. */
  set<Name extends Section, Key extends keyof Parts[Name] & string>(
    [section, key]: readonly [Name, Key],
    value: NonNullable<Parts[Name][Key]> & UnderstoodDirective['value'],
    {
      words,
      says,
      twice,
    }: { readonly words: string; readonly says: string; readonly twice?: (first: string) => string },
  ): void {
    const part: Partial<Record<Key, unknown>> = this.parts[section];
    const known = part[key];
    if (known === undefined) {
      part[key] = value;
      this.understood.push({ field: `${section}.${key}`, value, words, says });
    } else if (known !== value && twice !== undefined && typeof known !== 'object')
      this.conflicts.push(twice(String(known)));
  }

  setting(program: string, key: string, value: StrategyValue, words: string): void {
    const known = (this.settings[program] ??= {});
    const whose = program === 'default' ? 'every program that knows it' : program;
    const first = Object.hasOwn(known, key) ? known[key] : undefined;
    if (first === undefined) {
      known[key] = value;
      const field = `program_settings.${program}.${key}`;
      this.understood.push({ field, value, words, says: `${key} is ${String(value)} for ${whose}.` });
    } else if (first !== value)
      this.conflicts.push(
        `${key} for ${whose} is said to be ${String(first)} and ${String(value)}; ${String(first)} counts.`,
      );
  }

  /** Reports a value that is not used because of another one. */
  leavesOut(field: string, value: string, words: string): void {
    this.understood.push({ field, value: false, words, says: `${value} is not used.` });
  }

  directives(constraints: readonly string[]): SessionDirectives {
    const sections = { program_settings: this.settings, ...this.parts };
    const held = Object.entries(sections).filter(([, part]) => Object.keys(part).length > 0);
    return { ...Object.fromEntries(held), ...(constraints.length === 0 ? {} : { constraints }) };
  }
}
