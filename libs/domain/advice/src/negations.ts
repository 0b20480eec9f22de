import { matchesOf } from './compile-words';
import { takingBack } from './sentences';
import type { SentenceParts, Thing } from './sentence-parts';
import { overlap, type Span } from './spans';
import { listBefore, statesIn } from './states';

/** `near`: the opposite is requested. `far`: no effect, because the scope of the negation is unclear or its part of the sentence requests nothing. */
type Denial = 'near' | 'far';

/** Why a value for some rounds only is not set. */
export const whyOfRounds = 'for some rounds only, and a setting counts for all of them';

/** Negations in a sentence: the only judge for programs, values, files, rounds and targets. */
export interface Denials {
  readonly of: (span: Span) => Denial | undefined;
  /** Why a denied value is not set. */
  readonly whyNot: (span: Span) => string;
  /** Whether it is switched on: "TLS: yes". */
  readonly isOn: (span: Span) => boolean;
  /** Whether anything is denied. */
  readonly denies: boolean;
}

interface Scope extends Span {
  /** From here on the scope of the negation is unclear. */
  readonly nearUntil: number;
}

/** These negate the following noun and its list, unless a verb follows; "do not use" negates its whole clause. */
const ofNoun =
  /^(?:no|neither|without|w\/o|pas de|ohne|sans|senza|sin|keine?n?|omit|instead of|rather than|in place of|except(?: for)?|with the exception of|other than|apart from|(?:[a-z]+ )?not|cannot|never|[a-z]+n't|dont)(?: running| doing)?$/;
/** Maximum distance to the negated thing, in characters. */
const reach = 45;
const reachOfNoun = 30;

const boundary =
  /;|[.!?](?=\s|["')]|$)|,|:|->|→|\b(?:but|however|then|otherwise|because|since|until|if|unless|instead(?! of)|as (?=(?:the|it|we|i|this|my)\b)|and|with|using|at|to|in(?= [pcifrh] ?[1-6]))\b|\bw\/(?!o\b)/g;
/** "No TLS, waters are welcome". */
const allowed = /^ (?:is |are )?(?:the )?(?:ok|okay|fine|welcome|allowed|correct|right|true)\b/;
const article = /^ ?(?:(?:and|or|nor) )?(?:the |an? |any |my )?/;

const startsAt = <One extends Span>(places: readonly One[], at: number): One | undefined =>
  places.find(({ start }) => start === at);

const isInside = (index: number, { start, end }: Span): boolean => start < index && index < end;

/** Whether the clause of a negation continues after a comma, an "and" or a preposition. */
class Clause {
  private readonly isOfNoun: boolean;

  constructor(
    private readonly cue: Span,
    private readonly parts: SentenceParts,
  ) {
    const { plain, verbs } = parts;
    const next = cue.end + (/^ (?:please |to )?/.exec(plain.slice(cue.end))?.[0].length ?? 0);
    this.isOfNoun = ofNoun.test(plain.slice(cue.start, cue.end).trim()) && startsAt(verbs, next) === undefined;
  }

  scope(): Scope {
    const end = this.end();
    // "I have never used autobuild" requests nothing.
    if (/\b(?:have|has|had) $/.test(this.parts.plain.slice(0, this.cue.start)))
      return { start: this.cue.start, end, nearUntil: -1 };
    let nearUntil = this.cue.end + (this.isOfNoun ? reachOfNoun : reach);
    for (const thing of this.parts.things)
      if (thing.start >= this.cue.end && thing.start <= nearUntil)
        nearUntil = Math.max(nearUntil, thing.end + reachOfNoun);
    return { start: this.cue.start, end, nearUntil };
  }

  private end(): number {
    const { plain, things, verbs } = this.parts;
    // "Instead of phaser use autosol": another verb after the noun begins another request.
    const noun = things.find(({ start }) => start >= this.cue.end);
    const verb =
      this.isOfNoun && noun !== undefined
        ? verbs.find(({ start }) => start > noun.end && !this.isManner(noun, start))
        : undefined;
    return Math.min(this.endOfClause(), verb?.start ?? plain.length);
  }

  private endOfClause(): number {
    const { plain, things } = this.parts;
    for (const { index, 0: word } of matchesOf(boundary, plain)) {
      if (index < this.cue.end || things.some(({ value, ...whole }) => isInside(index, value ?? whole))) continue;
      if (things.some((thing) => this.isManner(thing, index))) continue;
      if (!this.goesOn(word.replace('w/', 'with'), index)) return index;
    }
    return plain.length;
  }

  private goesOn(word: string, at: number): boolean {
    const { plain, things } = this.parts;
    const last = things.findLast(({ end }) => end > this.cue.end && end <= at);
    if (word === ',' || word === 'and') return this.listGoesOn(word, at, last);
    // "Do not use: TLS, NCS" is a list; "there is no model at all: predict it" ends before the colon.
    if (word === ':') return !this.isOfNoun || plain.slice(this.cue.end, at).trim() === '';
    if (!/^(?:with|using|at|to|in)$/.test(word)) return false;
    const isFree = !this.isOfNoun || last === undefined;
    return isFree || (/^[ati]/.test(word) && !/^ (?:[a-z] ?)?\d/.test(plain.slice(at + word.length)));
  }

  /** "No refinement with TLS": the manner is denied, not the program. */
  private isManner({ kind, end }: Thing, at: number): boolean {
    const { plain } = this.parts;
    return (
      kind === 'program' &&
      end === at - 1 &&
      /^(?:with|using|at)\b/.test(plain.slice(at)) &&
      /\b(?:no|without)$/.test(plain.slice(0, this.cue.end).trim())
    );
  }

  private listGoesOn(word: string, at: number, last: Thing | undefined): boolean {
    const { plain, verbs, things } = this.parts;
    const behind = at + word.length;
    const next = behind + (article.exec(plain.slice(behind))?.[0].length ?? 0);
    if (startsAt(verbs, next) !== undefined) return word === 'and' && this.isBareVerb(at);
    // "Do not use TLS and 2.0 Å" negates both; "no waters, 2.0 Å" only the waters.
    if (word === 'and' && !this.isOfNoun) return true;
    if (word === ',' && this.isContrast(next)) return false;
    const thing = startsAt(things, next);
    return thing !== undefined && this.isLike(thing, last);
  }

  private isLike(thing: Thing, last: Thing | undefined): boolean {
    const { plain } = this.parts;
    // "No sulfur, the scatterer is iodide".
    if (/\b(?:is|are) /.test(plain.slice(thing.start, thing.end)) || allowed.test(plain.slice(thing.end))) return false;
    return last === undefined ? !this.isOfNoun : thing.kind === last.kind;
  }

  /** "Not phaser, autosol": a list ends with "and" or "or". */
  private isContrast(next: number): boolean {
    const { plain } = this.parts;
    return /\bnot$/.test(plain.slice(0, this.cue.end)) && !/\b(?:and|n?or)\b/.test(plain.slice(next));
  }

  /** "Do not build and refine": two verbs without an object between them. */
  private isBareVerb(at: number): boolean {
    const { plain, verbs } = this.parts;
    return verbs.some(
      ({ start, end }) =>
        start >= this.cue.end &&
        plain.slice(this.cue.end, start).trim() === '' &&
        plain.slice(end, at).trim() === '' &&
        end <= at,
    );
  }
}

/** "Do not refine more than twice" is a limit, not a negation. */
const limit = /^ (?:[a-z]{1,20} ){0,3}more than\b/;

/** "Do not skip it", "never without": the second cancels the first. */
const withoutDoubles = (plain: string, cues: readonly Span[]): readonly Span[] => {
  const apart: Span[] = [];
  for (const cue of cues) {
    const last = apart.at(-1);
    const isDouble = last !== undefined && /^ ?(?:to )?$/.test(plain.slice(last.end, cue.start));
    if (isDouble) apart.pop();
    else apart.push(cue);
  }
  return apart;
};

/** The list before "should not be used", otherwise the part of the clause. */
const backwards = (parts: SentenceParts, cue: Span): Scope => {
  const { plain } = parts;
  const list = listBefore(parts, plain.slice(0, cue.start).trimEnd().length);
  if (list !== undefined) return { start: list.start, end: cue.end, nearUntil: cue.end };
  const before = matchesOf(/[,;.]\s|\b(?:but|and then|then)\b/g, plain.slice(0, cue.start)).at(-1);
  return { start: before === undefined ? 0 : before.index + before[0].length, end: cue.end, nearUntil: cue.end };
};

/** The stands last before "do not use it": that is what is meant. */
const takenBack = ({ plain, things }: SentenceParts): readonly Span[] =>
  matchesOf(takingBack, plain).flatMap(({ index }) => {
    // "The law was found by xtriage, do not use it": the law.
    const before = things.filter(({ start, end, kind }) => {
      const isBy = kind === 'program' && /\b(?:by|from|in|with) (?:the )?$/.test(plain.slice(0, start));
      return end <= index && !isBy;
    });
    const end = Math.max(...before.map((thing) => thing.end));
    const last = before.filter((thing) => thing.end === end);
    // "Run phaser, but do not use it" speaks of its solution.
    if (last.length === 0 || last.some(({ kind }) => kind === 'program')) return [];
    return [{ start: Math.min(...last.map(({ start }) => start)), end }];
  });

/** What negations in a sentence with their scope. */
export const denialsIn = (parts: SentenceParts): Denials => {
  const { plain } = parts;
  const back = takenBack(parts);
  const scopes = [
    ...withoutDoubles(
      plain,
      parts.before.filter(({ end }) => !limit.test(plain.slice(end))),
    ).map((cue) => new Clause(cue, parts).scope()),
    ...parts.behind.map((cue) => backwards(parts, cue)),
  ];
  const states = statesIn(parts);
  const stateOf = (span: Span): (typeof states)[number] | undefined => states.find((one) => overlap(one, span));
  const scoped = (span: Span): Denial | undefined => {
    const over = scopes.filter((scope) => overlap(scope, span) && span.start >= scope.start);
    if (over.length === 0) return undefined;
    return over.some(({ nearUntil }) => span.start <= nearUntil) ? 'near' : 'far';
  };
  const of = (span: Span): Denial | undefined => {
    if (back.some((scope) => overlap(scope, span))) return 'near';
    if (parts.idle.some((part) => overlap(part, span))) return 'far';
    const state = stateOf(span);
    if (state === undefined) return scoped(span);
    if (state.on === undefined) return 'far';
    // "Do not switch TLS off".
    const isReversed = state.isSwitched && scoped(span) !== undefined;
    return state.on === isReversed ? 'near' : undefined;
  };
  return {
    of,
    whyNot: (span) => {
      if (of(span) === 'near') return 'it is not to be used, and no other value is given for it';
      return parts.idle.some((part) => part.isOfRounds && overlap(part, span))
        ? whyOfRounds
        : 'it is not clear whether it is to be used';
    },
    isOn: (span) => stateOf(span)?.on === true && of(span) === undefined,
    denies: scopes.length > 0 || states.some(({ on }) => on === false),
  };
};

/** "For everything except refinement": what is said of the others is not said of it, and it runs. */
const exceptFor =
  /\b(?:for|in|with|of) (?:everything|anything|all(?: [a-z]+)?|every [a-z]+)(?: else)?,? (?:except|but|other than|apart from|with the exception of)(?: for| in)? (?:the )?$/;
/** "Everything at 2 Å except autosol at 3 Å": how, not whether. */
const exceptBefore = /\b(?:except|but|other than|apart from|exception of)(?: for| in)? (?:the )?$/;
const howBehind = /^ (?:at|with|uses?|using) \d/;
/** "Do not refine before ligand fitting": when, not whether. */
const saysWhen = /^ (?:before|until|till|prior to)\b/;
/** "Do not cut the refinement there". */
const otherVerb =
  /\b(?:not|n't|dont|never|no need to) (?:cut|truncate|limit|restrict|change|alter|touch|interrupt|break|delay|postpone|trust|rely on|extend|judge|rush) (?:the |this |my |our )?$/;
/** Whether the negation between these words and a program is not that of the program. */
export const saysElse = (before: string, behind: string): boolean =>
  exceptFor.test(before) ||
  (exceptBefore.test(before) && howBehind.test(behind)) ||
  saysWhen.test(behind) ||
  otherVerb.test(before);
