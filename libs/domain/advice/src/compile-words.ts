import { Fault, type FieldProblem } from '@fleet/contracts';
import type { AdviceKnowledge, AdviceSetting, CueName, ProgramWords } from '@fleet/knowledge-model';
import { cueNames } from '@fleet/knowledge-model';
import { unsafeBecause } from '@fleet/log-parsing';
import { WordStarts } from './word-starts';

/** A pattern that is tried on a sentence; `of` is what it stands for. */
interface Words<Of> {
  readonly of: Of;
  readonly pattern: RegExp;
}

/** One of the many that are tried on each sentence; `id` is its number in `AdviceWords.starts`. */
interface NumberedWords<Of> extends Words<Of> {
  readonly id: number;
}

/** `advice.yaml`, ready to be matched. */
export interface AdviceWords {
  readonly knowledge: AdviceKnowledge;
  /** Which of the numbered patterns may be found in a sentence in its plain form. */
  readonly starts: WordStarts;
  readonly names: readonly NumberedWords<ProgramWords>[];
  readonly acts: readonly NumberedWords<ProgramWords>[];
  readonly skips: readonly NumberedWords<ProgramWords>[];
  readonly cues: readonly NumberedWords<CueName>[];
  readonly validation: readonly RegExp[];
  readonly mrSad: RegExp;
  readonly mrSadTask: RegExp;
  readonly experimental: RegExp;
  readonly molecularReplacement: RegExp;
  readonly givenAfter: RegExp;
  readonly ownWork: readonly RegExp[];
  readonly atMost: readonly RegExp[];
  readonly stopNow: readonly RegExp[];
  readonly cryoemHints: readonly RegExp[];
  readonly goals: readonly RegExp[];
  readonly initialModel: RegExp;
  readonly stepByStep: readonly RegExp[];
  readonly rounds: Readonly<Record<'refinements' | 'macro_cycles' | 'cycles', readonly RegExp[]>>;
  readonly settings: readonly NumberedWords<AdviceSetting>[];
  readonly targets: readonly Words<'r_free_target' | 'map_cc_target'>[];
  readonly until: RegExp;
  readonly conditions: readonly RegExp[];
  readonly hostile: readonly Words<{ readonly id: string; readonly why: string }>[];
}

/** Hears of a pattern that cannot be used, and why. Where it returns, nothing stands in for the pattern. */
type Refuse = (source: string, reason: string) => void;

const nothing = '(?!)';

/** A fragment may name others that stand before it. */
const compiler = ({ fragments }: AdviceKnowledge, refuse: Refuse): ((source: string, flags?: string) => RegExp) => {
  const known = new Map<string, string>();
  const expand = (source: string): string =>
    source.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => {
      const fragment = known.get(name);
      if (fragment === undefined) refuse(source, `names no fragment: ${name}`);
      return fragment ?? nothing;
    });
  for (const [name, source] of Object.entries(fragments)) known.set(name, expand(source));
  return (source, flags = 'g') => {
    const expanded = expand(source);
    const unsafe = unsafeBecause(expanded);
    if (unsafe !== undefined) refuse(source, `may take very long: ${unsafe}`);
    try {
      return new RegExp(expanded, flags);
    } catch (cause) {
      refuse(source, `is not a regular expression: ${String(cause)}`);
      return new RegExp(nothing, flags);
    }
  };
};

/** A cue that begins with a letter begins a word: "then", not "strengthen". A mark such as "->" may stand anywhere. */
const startOfWord = '(?<![a-z](?=[a-z]))';

const compile = (knowledge: AdviceKnowledge, refuse: Refuse): AdviceWords => {
  const pattern = compiler(knowledge, refuse);
  const all = (sources: readonly string[]): readonly RegExp[] => sources.map((source) => pattern(source));
  const oneOf = (sources: readonly string[]): string => `\\b(?:${sources.join('|')})\\b`;
  const numbered: string[] = [];
  const withNumber = <Of>(of: Of, source: string): NumberedWords<Of> => {
    const made = pattern(source);
    return { of, pattern: made, id: numbered.push(made.source) - 1 };
  };
  const wordsOf = (key: 'names' | 'acts' | 'skips'): readonly NumberedWords<ProgramWords>[] =>
    knowledge.programs.flatMap((of) => {
      const sources = of[key] ?? [];
      return sources.length === 0 ? [] : [withNumber(of, oneOf(sources))];
    });
  const { phasing, rounds } = knowledge;
  const tried = {
    names: wordsOf('names'),
    acts: wordsOf('acts'),
    skips: wordsOf('skips'),
    cues: cueNames.flatMap((of) => knowledge.cues[of].map((source) => withNumber(of, `${startOfWord}${source}`))),
    settings: knowledge.settings.flatMap((of) => of.patterns.map((source) => withNumber(of, source))),
  };
  return {
    knowledge,
    ...tried,
    starts: new WordStarts(numbered, startOfWord),
    validation: knowledge.validation.names.map((source) => pattern(`\\b(?:${source})\\b`)),
    mrSad: pattern(`\\b${phasing.mr_sad}\\b`),
    mrSadTask: pattern(`\\b${phasing.mr_sad_task}\\b`),
    experimental: pattern(`\\b${phasing.experimental}\\b`),
    molecularReplacement: pattern(`\\b${phasing.molecular_replacement}\\b`),
    givenAfter: pattern(`^${knowledge.given_after}`, ''),
    ownWork: all(knowledge.own_work),
    atMost: all(knowledge.at_most),
    stopNow: all(knowledge.stop_now),
    cryoemHints: all(knowledge.cryoem_hints),
    goals: all(knowledge.goals),
    initialModel: pattern(knowledge.initial_model.pattern),
    stepByStep: all(knowledge.step_by_step),
    rounds: {
      refinements: all(rounds.refinements),
      macro_cycles: all(rounds.macro_cycles),
      cycles: all(rounds.cycles),
    },
    targets: knowledge.targets.flatMap(({ field, patterns }) =>
      patterns.map((source) => ({ of: field, pattern: pattern(source) })),
    ),
    until: pattern(knowledge.until.pattern),
    conditions: all(knowledge.conditions),
    hostile: knowledge.hostile.map((of) => ({ of, pattern: pattern(of.pattern, 'gim') })),
  };
};

const compiled = new WeakMap<AdviceKnowledge, AdviceWords>();

/**
 * The patterns of `advice.yaml`, compiled once for a rule book.
 * @throws Fault `knowledge.bad_pattern` for a pattern that is none, or that may take very long.
 */
export const adviceWords = (knowledge: AdviceKnowledge): AdviceWords => {
  const known =
    compiled.get(knowledge) ??
    compile(knowledge, (source, reason) => {
      throw new Fault('knowledge.bad_pattern', 'bug', `advice.yaml: the pattern ${source} ${reason}`);
    });
  compiled.set(knowledge, known);
  return known;
};

/** What is wrong with the patterns of `advice.yaml`: all that `adviceWords` would refuse. */
export const patternProblemsOf = (knowledge: AdviceKnowledge): readonly FieldProblem[] => {
  const problems: FieldProblem[] = [];
  compile(knowledge, (source, reason) =>
    problems.push({ field: 'advice.yaml', reason: `the pattern ${source} ${reason}` }),
  );
  return problems;
};

const none: readonly RegExpExecArray[] = [];

/** All matches of a pattern, from left to right. */
export const matchesOf = (pattern: RegExp, text: string): readonly RegExpExecArray[] => {
  // `matchAll` makes a new pattern for each call, and most find nothing.
  pattern.lastIndex = 0;
  const first = pattern.exec(text);
  if (first === null) return none;
  const found: RegExpExecArray[] = [];
  for (let match: RegExpExecArray | null = first; match !== null; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex += 1;
  }
  return found;
};

/** True where one of the patterns is found. */
export const isFound = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => text.search(pattern) >= 0);
