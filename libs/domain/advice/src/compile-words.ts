import { Fault, type FieldProblem } from '@fleet/contracts/faults';
import type { AdviceKnowledge, AdviceSetting, CueName, ProgramWords } from '@fleet/knowledge-model';
import { cueNames } from '@fleet/knowledge-model';
import { unsafeBecause } from '@fleet/log-parsing';
import { WordStarts, type Candidates } from './word-starts';

/** A pattern that is tried on each sentence; `id` is its number in `AdviceWords.starts`. */
export interface WordPattern {
  readonly pattern: RegExp;
  readonly id: number;
}

/** `of` is the meaning of the pattern. */
interface MeaningPattern<Of> extends WordPattern {
  readonly of: Of;
}

/** `advice.yaml`, compiled. */
export interface AdviceWords {
  readonly knowledge: AdviceKnowledge;
  /** Which of the patterns may occur in a sentence in its plain form. */
  readonly starts: WordStarts;
  readonly names: readonly MeaningPattern<ProgramWords>[];
  readonly acts: readonly MeaningPattern<ProgramWords>[];
  readonly skips: readonly MeaningPattern<ProgramWords>[];
  readonly cues: readonly MeaningPattern<CueName>[];
  readonly validation: readonly WordPattern[];
  readonly mrSad: WordPattern;
  readonly mrSadTask: WordPattern;
  readonly experimental: WordPattern;
  readonly molecularReplacement: WordPattern;
  /** The submitted model is in its place. */
  readonly placed: WordPattern;
  readonly ownWork: readonly WordPattern[];
  /** What makes its part of a sentence no request, besides the writer's own work. */
  readonly noOrder: readonly WordPattern[];
  /** What makes its part of a sentence a request for some rounds only. */
  readonly someRounds: readonly WordPattern[];
  readonly atMost: readonly WordPattern[];
  /** Matched only against the words of a sentence, without numbers and punctuation. */
  readonly stopNow: readonly WordPattern[];
  readonly goals: readonly WordPattern[];
  readonly initialModel: WordPattern;
  readonly stepByStep: readonly WordPattern[];
  readonly rounds: Readonly<Record<'refinements' | 'macro_cycles' | 'cycles', readonly WordPattern[]>>;
  readonly settings: readonly MeaningPattern<AdviceSetting>[];
  readonly targets: readonly MeaningPattern<'r_free_target' | 'map_cc_target'>[];
  readonly until: WordPattern;
  readonly conditions: readonly WordPattern[];
  /** Verbs that are requests at the beginning of a clause. */
  readonly verbs: RegExp;
  /** A verb that ends a session, at the beginning of a text. */
  readonly stopVerb: RegExp;
  /** Marks a description or report. */
  readonly told: RegExp;
  /** Words that request something. */
  readonly requesting: RegExp;
  /** Crystals and structures other than those of the session. */
  readonly others: RegExp;
  /** Domain terms: each is used, or reported as unused. */
  readonly fieldNouns: WordPattern;
  readonly fieldVerbs: WordPattern;
  /** Number words before something that is counted: "two copies". */
  readonly counted: WordPattern;
  /** All programs that are not named: "for the rest". */
  readonly rest: WordPattern;
  /** Words after a program's name. */
  readonly givenAfter: RegExp;
  readonly cryoemHints: readonly WordPattern[];
  readonly hostile: readonly { readonly of: { readonly id: string; readonly why: string }; readonly pattern: RegExp }[];
}

/** Called for an invalid pattern, with the reason. If it returns, the pattern is omitted. */
type Refuse = (source: string, reason: string) => void;

const nothing = '(?!)';

/** A fragment may contain earlier fragments. */
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

/** A cue that begins with a letter must begin a word: "then", not "strengthen". A mark such as "->" may be anywhere. */
const startOfWord = '(?<![a-z](?=[a-z]))';

const compile = (knowledge: AdviceKnowledge, refuse: Refuse): AdviceWords => {
  const pattern = compiler(knowledge, refuse);
  const oneOf = (sources: readonly string[]): string => `\\b(?:${sources.join('|')})\\b`;
  const numbered: string[] = [];
  const word = (source: string): WordPattern => {
    const made = pattern(source);
    return { pattern: made, id: numbered.push(made.source) - 1 };
  };
  const all = (sources: readonly string[]): readonly WordPattern[] => sources.map(word);
  const wordsFor = <Of>(of: Of, source: string): MeaningPattern<Of> => ({ of, ...word(source) });
  const wordsOf = (key: 'names' | 'acts' | 'skips'): readonly MeaningPattern<ProgramWords>[] =>
    knowledge.programs.flatMap((of) => {
      const sources = of[key] ?? [];
      return sources.length === 0 ? [] : [wordsFor(of, oneOf(sources))];
    });
  const { refinements, macro_cycles, cycles } = knowledge.rounds;
  const { phasing } = knowledge;
  const words = {
    names: wordsOf('names'),
    acts: wordsOf('acts'),
    skips: wordsOf('skips'),
    cues: cueNames.flatMap((of) => knowledge.cues[of].map((source) => wordsFor(of, `${startOfWord}${source}`))),
    settings: knowledge.settings.flatMap((of) => of.patterns.map((source) => wordsFor(of, source))),
    validation: knowledge.validation.names.map((source) => word(`\\b(?:${source})\\b`)),
    mrSad: word(`\\b${phasing.mr_sad}\\b`),
    mrSadTask: word(`\\b${phasing.mr_sad_task}\\b`),
    experimental: word(`\\b${phasing.experimental}\\b`),
    molecularReplacement: word(`\\b${phasing.molecular_replacement}\\b`),
    placed: word(`\\b${phasing.placed}\\b`),
    ownWork: all(knowledge.own_work),
    noOrder: all(knowledge.no_order),
    someRounds: all(knowledge.some_rounds),
    atMost: all(knowledge.at_most),
    cryoemHints: all(knowledge.cryoem_hints),
    stopNow: all(knowledge.stop_now),
    goals: all(knowledge.goals),
    initialModel: word(knowledge.initial_model.pattern),
    stepByStep: all(knowledge.step_by_step),
    rounds: { refinements: all(refinements), macro_cycles: all(macro_cycles), cycles: all(cycles) },
    targets: knowledge.targets.flatMap(({ field, patterns }) => patterns.map((source) => wordsFor(field, source))),
    until: word(knowledge.until.pattern),
    conditions: all(knowledge.conditions),
    rest: word(oneOf(knowledge.rest)),
    fieldNouns: word(oneOf(knowledge.field.nouns)),
    fieldVerbs: word(oneOf(knowledge.field.verbs)),
    counted: word(oneOf(knowledge.field.counted)),
  };
  return {
    knowledge,
    ...words,
    starts: new WordStarts(numbered, startOfWord),
    verbs: pattern(oneOf([...knowledge.verbs, ...knowledge.field.verbs])),
    stopVerb: pattern('^{stop}\\b', ''),
    told: pattern(oneOf(knowledge.told), ''),
    requesting: pattern(oneOf(knowledge.requesting), ''),
    others: pattern(oneOf(knowledge.others), ''),
    givenAfter: pattern(`^${knowledge.given_after}`, ''),
    hostile: knowledge.hostile.map((of) => ({ of, pattern: pattern(of.pattern, 'gim') })),
  };
};

const compiled = new WeakMap<AdviceKnowledge, AdviceWords>();

/**
 * The patterns of `advice.yaml`, compiled once for a rule book.
 * @throws Fault `knowledge.bad_pattern` for an invalid or potentially very slow pattern
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

/** Problems of the patterns in `advice.yaml`: those that `adviceWords` would refuse. */
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
  // `matchAll` clones the pattern for each call, and most calls find nothing.
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

/** A sentence in its plain form, with its possible patterns from `AdviceWords.starts`. */
interface Searched {
  readonly plain: string;
  readonly may: Candidates;
}

/** All matches of a pattern in a sentence, or in another form of it, from left to right. */
export const matchesIn = (
  { pattern, id }: WordPattern,
  { plain, may }: Searched,
  form = plain,
): readonly RegExpExecArray[] => (may[id] === 1 ? matchesOf(pattern, form) : none);

/** Whether a sentence matches one of the patterns. */
export const isFoundIn = (patterns: readonly WordPattern[], { plain, may }: Searched): boolean =>
  patterns.some(({ pattern, id }) => may[id] === 1 && plain.search(pattern) >= 0);
