import type { StrategyValue } from '@fleet/contracts/schema';
import type { ExperimentType } from '@fleet/contracts/sessions';
import { strategyKeyNamed, type ProgramKnowledge } from '@fleet/knowledge-model';
import { matchesOf, type AdviceWords } from './compile-words';
import type { Mention } from './marks';
import type { Sentence } from './sentences';
import type { Span } from './spans';

/** A value in a sentence. */
export interface FoundValue extends Span {
  /** A program, or `default`. */
  readonly program: string;
  readonly key: string;
  readonly value: StrategyValue;
  /** Applies to refinement as a whole: "refine to 2.5 Å". */
  readonly ofRefinement: boolean;
}

/** A value that is not set, and the reason. */
export interface RefusedValue extends Span {
  readonly why: string;
  /** Its program, if known. */
  readonly program?: string;
}

export interface FoundValues {
  readonly values: readonly FoundValue[];
  readonly refused: readonly RefusedValue[];
}

export type Programs = Readonly<Record<string, ProgramKnowledge>>;

/** Everything that reading values depends on. */
export interface ValueContext {
  readonly words: AdviceWords;
  readonly programs: Programs;
  readonly experiment: ExperimentType;
  readonly sentence: Sentence;
}

const clauseEnd = /[;]|\bbut\b|\bthen\b/g;

const knows = (programs: Programs, program: string, key: string): boolean => {
  const knowledge = programs[program];
  return knowledge !== undefined && strategyKeyNamed(knowledge, key) !== undefined;
};

/** The program of a mention; all of them in "3.5 Å for refinement and the rest", and where another one that has the key stands before it: "autosol and autobuild at 2.5 Å". */
const programOf = (
  { sentence: { plain }, programs }: ValueContext,
  named: Mention | undefined,
  beside: readonly Mention[],
  key: string,
): string | undefined =>
  named !== undefined &&
  beside.some(
    ({ start, end, program }) =>
      (program === 'default' && /^,? and $/.test(plain.slice(named.end, start))) ||
      (program !== named.program && /^,? and $/.test(plain.slice(end, named.start)) && knows(programs, program, key)),
  )
    ? 'default'
    : named?.program;

/** The program of a value, by the names in its clause. */
export interface Beside {
  readonly program?: string;
  /** The value is for this program, which does not have the key. */
  readonly lacking?: string;
}

/** Maximum distance between a value and its program, in characters. */
const reach = { behind: 25, before: 40 };

/** The program of a value: one that has the key and is named beside it, in the same clause; one after "in" or "for" takes precedence. */
export const programBeside = (context: ValueContext, span: Span, mentions: readonly Mention[], key: string): Beside => {
  const {
    sentence: { plain },
    programs,
  } = context;
  const ends = matchesOf(clauseEnd, plain).map(({ index }) => index);
  const from = Math.max(0, ...ends.filter((end) => end <= span.start));
  const to = Math.min(plain.length, ...ends.filter((end) => end >= span.end));
  const beside = mentions.filter(({ start, end }) => start >= from && end <= to);
  // "3 Å and for refinement 2 Å", "2.9 for phasing and 2.3 for refinement": another value follows.
  const isFor = ({ start }: Span): boolean =>
    /^(?!.*(?:\d|(?:,|\band) (?:in|for|with|during)\b))(?:.*\b(?:in|for|with|during|of)\b| ?$)/.test(
      plain.slice(span.end, start),
    );
  // "Autosol: sites=7, atom_type=Se, quick=True"; "a polder map with …, resolution 2.0 for that".
  const isHead = ({ end }: Span): boolean =>
    /^ ?:/.test(plain.slice(end, end + 2)) ||
    /^ ?(?:å |a )?(?:for|in|with) (?:that|this|it)\b/.test(plain.slice(span.end));
  const before = beside.findLast(
    (one) => one.end <= span.start && (span.start - one.end <= reach.before || isHead(one)),
  );
  // "Autosol resolution=3 autobuild resolution=2".
  const isNext = ({ start }: Span): boolean => before?.end === span.start - 1 && start === span.end + 1;
  const after = beside.find(
    (one) => one.start >= span.end && one.start - span.end <= reach.behind && isFor(one) && !isNext(one),
  );
  const named = programOf(context, after ?? before, beside, key);
  if (named === undefined) return {};
  if (named === 'default' || knows(programs, named, key)) return { program: named };
  const belongsToProgram =
    after === undefined
      ? key === 'resolution' &&
        /^(?: (?:instead of|rather than|in place of|not) [a-z ]{3,25})? (?:with|at|using)\b[^,;]*$/.test(
          plain.slice(before?.end, span.start),
        )
      : /^ ?(?:å |a )?(?:in|for|during) (?:the )?$/.test(plain.slice(span.end, after.start));
  return belongsToProgram ? { lacking: named } : {};
};

/** Not inside parentheses: "the model (1ABC, 2.8 Å) has 2 copies"; also before a report: "phaser found 2 copies". */
const clauseStart =
  /[;:]|, (?![^()]{0,60}\))|\b(?:but|then|because)\b|\band (?=i\b|we\b)|\b(?=(?:phaser|mr|xtriage|autosol|it|they|we|i) (?:found|gave|got|placed|reports?|reported|suggests?|suggested)\b)/g;

/** The clause that contains a position of a sentence. */
const clauseAt = (plain: string, { start, end }: Span): Span => {
  const before = matchesOf(clauseStart, plain.slice(0, start)).at(-1);
  const behind = plain.slice(end).search(clauseStart);
  return {
    start: before === undefined ? 0 : before.index + before[0].length,
    end: behind < 0 ? plain.length : end + behind,
  };
};

/** "The previous run" does not ask to run anything. */
const earlierWork = /\b(?:previous|last|earlier|old) (?:run|search|fit|look|start)\b/g;

/** "We refined with TLS". */
const done =
  /\b(?:we|i|they|he|she|people|students?|postdocs?|colleagues?|users?|predecessors?)(?: have| had)?(?: already| also| then)? [a-z]{2,12}ed\b/;

const past = /\b(?:was|were|(?:has|have|had) been)\b/;
/** Results, and what is put off: "with TLS the R-free went up", "wait with TLS". */
const outcome =
  /\b(?:went|no (?:effect|help|difference|improvement)|hold off|wait with|postpone|delay|for later|helped|helps|did(?: not|n't) help|doubt|got worse|(?:reduced|lowered|increased|raised|improved) the)\b/;

type SentenceContext = Pick<ValueContext, 'sentence' | 'words'>;

/** Whether a sentence is a description or report without a request: "simulated annealing was tried". */
export const isDescription = ({ sentence: { plain }, words }: SentenceContext, span: Span): boolean => {
  const clause = clauseAt(plain, span);
  const before = plain.slice(clause.start, span.end).replaceAll(earlierWork, '');
  const hasVerb = before.search(words.verbs) >= 0;
  const isOrder = words.requesting.test(before) || hasVerb;
  return (
    done.test(before) ||
    (outcome.test(plain.slice(clause.start, clause.end)) && !hasVerb) ||
    (past.test(before) && !hasVerb) ||
    (!isOrder && words.told.test(plain.slice(clause.start, clause.end)))
  );
};

/** Whether a text says something else than a request, in the clause of a span or in the part of it up to there. */
const says = ({ sentence: { plain }, words }: SentenceContext, span: Span, is: (text: string) => boolean): boolean => {
  const { start, end } = clauseAt(plain, span);
  return [span.end, end]
    .map((to) => plain.slice(start, to))
    .some((text) => is(text) && text.replaceAll(earlierWork, '').search(words.verbs) < 0);
};

/** Whether a count is one of a report: "after two refinements the R-free was 0.3". */
export const isReport = (context: SentenceContext, span: Span): boolean =>
  says(context, span, (text) => past.test(text) || outcome.test(text));

/** About another crystal or structure: "the homologue diffracted to 1.8 Å". */
export const isOfOthers = (context: SentenceContext, span: Span): boolean =>
  says(context, span, (text) => context.words.others.test(text));

const sequel = /\b(?:then|later|afterwards|subsequently|thereafter)\b/;
const negative = /\b(?:no|not|without|w\/o|off|never|skip)\b|n't\b/;
const switchName = /\b(?:tls|ncs|water|solvent|hydrogen|anneal|isotropic|anisotropic)/;
const onlyState =
  /^ (?:(?:turn|switch|use|add) (?:it|them) )?(?:on|off|with|without|w\/o)(?: (?:it|them))?(?: ?[.,;!)]|$)/;

const putOff = /\b(?:before|prior to) $/;

/** "Without TLS first, then with TLS", "before adding waters": no setting changes from one round to the next. */
export const changesLater = ({ sentence: { plain } }: SentenceContext, { start, end }: Span): boolean => {
  if (putOff.test(plain.slice(Math.max(0, start - 12), start))) return true;
  const name = switchName.exec(plain.slice(start, end))?.[0];
  if (name === undefined) return false;
  const parts = plain.split(sequel).filter((part) => part.includes(name) || onlyState.test(part));
  return new Set(parts.map((part) => negative.test(part))).size > 1;
};

const boundBefore =
  /\b(?:up to|at (?:most|least)|(?:more|fewer|less) than|max(?:imum|imally)?(?: of)?|min(?:imum|imally)?(?: of)?) $/;
const boundBehind = /^ ?(?:[a-z]+ )?(?:at (?:most|least)|or (?:more|fewer|less))\b/;

/** "At least two copies", "4 copies at most": a bound is not the number. */
export const isBound = ({ sentence: { plain } }: SentenceContext, { start, end }: Span): boolean =>
  boundBefore.test(plain.slice(0, start)) || boundBehind.test(plain.slice(end));

const another =
  /^ ?(?:å|a|copies)? ?(?:or|to|-|–|\/) ?(?:-?\d|[pcifrh] ?\d|(?:its|an?|the|one|two|three|four|five|six)\b)/;
const uncertain =
  /^ ?(?:å|a|copies)?(?:,| [-–—]+|\.+)? ?\(?(?:but )?(?:maybe|perhaps|possibly|(?:could|might|may) (?:also )?be|according to|(?:the )?(?:screw ax[ei]s|enantiomorph|hand)(?: is| are)? (?:un[a-z]+|not|open|ambiguous)|(?:oh )?no,? wait|sorry|i mean|make (?:it|that)|\?\))/;
const later =
  /^ ?(?:å|a)?[^;]{0,40} and (?:an? |the )?[a-z]+ (?:data ?set|set|data) (?:to|at) \d|^ ?(?:å|a)?,? (?:(?:and )?then (?:[a-z]{1,10} ){0,3}|and (?:again )?)(?:to|at) \d/;
const tryNext =
  /^ ?(?:copies|molecules|sites)?(?: first)?,? (?:and )?then (?:(?:again|try|use|search|with|for) ){0,3}(?:\d{1,2}|one|two|three|four|six)(?: (?:copies|molecules|sites))?(?: ?[.,;!)]|$)/;

/** "2 or 3 copies", "2.0-2.5 Å", "3 Å, then at 2 Å", "2 copies, sorry, 3": ambiguous. In "50-2.1 Å" the second is the limit. */
export const isOneOfSeveral = ({ sentence: { raw } }: SentenceContext, { start, end }: Span, key: string): boolean => {
  const behind = raw.slice(end);
  const isDecimal = /[.,]\d/.test(raw.slice(start, end));
  return (
    another.test(behind) ||
    uncertain.test(behind) ||
    (key === 'resolution' ? later : tryNext).test(behind) ||
    (secondOf[key] ?? (isDecimal ? secondDecimal : second)).test(raw.slice(0, start))
  );
};

const second = /(?:(?<![.,\d])\d+|\b(?:one|two|three|four|five)) ?(?:(?:å|a)? ?(?:or|to|-|–|\/)|and) ?$/;
const secondDecimal = /\d[.,]\d+ ?(?:(?:å|a)? ?(?:or|to|-|–|\/)|and) ?$/;
/** By key: "2.0 or 2.5 Å", "P 61 and P 65". */
const secondOf: Readonly<Record<string, RegExp>> = {
  resolution: /(?<![\d.,])\d(?:[.,]\d+)? ?(?:å|a)? ?(?:or|to|-|–|\/) ?$/,
  space_group: /\b[pcifrh][\d ()_]{1,14} ?(?:or|to|-|–|\/|and) ?$/,
};
