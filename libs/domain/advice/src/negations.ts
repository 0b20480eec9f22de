import { matchesOf } from './compile-words';
import { takingBack } from './sentences';
import { overlap, type Span } from './spans';

/** A part of a sentence that may be requested, with its kind: a program, a file, a value of a key, a number. */
export interface Thing extends Span {
  readonly kind: string;
  /** Only the value, if the thing includes words before it. */
  readonly value?: Span;
}

/** `near`: the opposite is requested. `far`: no effect, because the scope of the negation is unclear or its part of the sentence requests nothing. */
type Denial = 'near' | 'far';

/** Why a denied value is not set. */
export const whyDenied: Readonly<Record<Denial, string>> = {
  near: 'it is not to be used, and no other value is given for it',
  far: 'it is not clear whether it is to be used',
};

/** Negations in a sentence: the only judge for programs, values, files, rounds and targets. */
export interface Denials {
  readonly of: (span: Span) => Denial | undefined;
}

/** The words of a sentence that negations depend on. */
export interface SentenceParts {
  readonly plain: string;
  /** Words before what they negate: "do not use", "without". */
  readonly before: readonly Span[];
  /** Words after it: "should not be used". */
  readonly behind: readonly Span[];
  /** Verbs of requests: "use", "refine". */
  readonly verbs: readonly Span[];
  readonly things: readonly Thing[];
  /** Parts that request nothing. */
  readonly idle: readonly Span[];
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
  /;|[.!?](?=\s|["')]|$)|,|->|→|\b(?:but|however|then|otherwise|because|since|until|if|unless|instead(?! of)|as (?=(?:the|it|we|i|this|my)\b)|and|with|using|at|to)\b|\bw\/(?!o\b)/g;
/** "No TLS, waters are welcome". */
const allowed = /^ (?:is |are )?(?:ok|okay|fine|welcome|allowed)\b/;
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
    const last = this.parts.things.findLast(({ end }) => end > this.cue.end && end <= at);
    switch (word) {
      case 'with':
      case 'using':
        return !this.isOfNoun || last === undefined;
      case 'at':
      case 'to':
        return !(this.isOfNoun && last !== undefined && /^ \d/.test(this.parts.plain.slice(at + word.length)));
      case ',':
      case 'and':
        return this.listGoesOn(word, at, last);
      default:
        return false;
    }
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
    if (allowed.test(this.parts.plain.slice(thing.end))) return false;
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

/** The part of the clause before "should not be used". */
const backwards = (plain: string, cue: Span): Scope => {
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
    ...parts.behind.map((cue) => backwards(plain, cue)),
  ];
  return {
    of: (span) => {
      if (back.some((scope) => overlap(scope, span))) return 'near';
      if (parts.idle.some((part) => overlap(part, span))) return 'far';
      const over = scopes.filter((scope) => overlap(scope, span) && span.start >= scope.start);
      if (over.length === 0) return undefined;
      return over.some(({ nearUntil }) => span.start <= nearUntil) ? 'near' : 'far';
    },
  };
};
