import type { CueName } from '@fleet/knowledge-model';
import { matchesOf, type AdviceWords } from './compile-words';
import type { Mark } from './marks';
import { saysElse, whyOfRounds, type Denials } from './negations';
import { overlap, spanOf, type Span } from './spans';

/** What a sentence says about a program. */
export interface Action extends Span {
  readonly program: string;
  /** A flag that is set if the session ends with it. */
  readonly alone: string | undefined;
  readonly task: boolean;
  readonly mode: 'run' | 'skip' | 'prefer' | 'stop_after';
  /** Nothing else is requested. */
  readonly only: boolean;
  /** Something follows it: "first", "then". */
  readonly first: boolean;
}

/** Maximum distance between two programs of a list, in characters. */
const reach = 45;

type Mode = Action['mode'] | 'given';

const modeOfCue: Partial<Record<CueName, Mode>> = {
  skip: 'skip',
  run: 'run',
  use: 'prefer',
  start: 'run',
  prefer: 'prefer',
  stop_after: 'stop_after',
  given: 'given',
  go_on: 'given',
};

type ProgramMark = Extract<Mark, { readonly kind: 'program' }>;

/** Properties of a whole sentence. */
interface SentenceFacts {
  /** A bare name is a request: the sentence is a list of names, or an order of steps. */
  readonly namesAsk: boolean;
  /** Positions of words that request an end. */
  readonly ends: readonly number[];
  readonly rounds: readonly Span[];
  /** Including the negated ones. */
  readonly allRounds: readonly Span[];
  /** All possible values. */
  readonly allValues: readonly Span[];
  readonly denials: Denials;
}

/** "We usually refine", "it is hard to refine"; "refined with phenix.refine", whose "phenix." is blanks: before a verb that is not a request. */
const toldOf =
  /\b(?:we|i|they|people|programs?)(?: (?:usually|often|always|normally|generally|typically|already|also|still|could|can|cannot|did))* $|\b(?:difficult|hard|easy|impossible|unable|failed|fail|tried|trying|able|nothing)(?: for us)? to $|\b(?:with|by|using|via) {8}$/;

/** "Do not refine with TLS": the manner is negated, not the program. */
const ofHow = /^ (?:(?:it|the (?:model|structure|data)) )?(?:with|at|to|using|against) (?:the |an? |any )?$/;
/** "No full refinement", "not the polder selection". */
const partBefore = /\b(?:full|complete|extensive|thorough|long) $/;
const partBehind = /^ (?:selection|settings?|parameters?|keywords?)\b/;
const objectLead = /^ (?:(?:with|by|using) )?(?:(?:the|an?|its?|their|any|all|individual|grouped) )*/;
/** "Density modification with the phases should be the last step", "refinement, and that is the last step". */
const beforeLast = /^(?:(?!.*\b(?:not|never|no)\b)[a-z ]{0,40}|,? (?:and )?(?:that|this|it) )$/;
/** Between the programs of "stop after MR placement and initial refinement". */
const listed =
  /^(?: (?:placement|solutions?|steps?|runs?|is done|is finished|completes|finishes))?,?(?: and| then| plus)+ (?:the |one |an? |initial |first |final |(?:resulting |new |placed )?model has (?:undergone|had) |(?:round|cycle)s? of )*$/;
/** Before the verb of a request. */
const lead = /^(?:\s|and|please|now|just|only|also)+\b/;
/** The parts of a sentence that each say one thing. */
const partEnd = /[,;:]|\b(?:but|then|because|so)\b/g;
const reporting = /\b(?:got|went|found|obtained|came|reached|took|led|produced|gets|experience|attempts?)\b/;
/** "The structure is to be solved with phaser", "the plan is MR with phaser", "phasing with autosol is preferred". */
const intends =
  /\bto (?:be )?[a-z]{2,12}|\b(?:plan|goal|aim|idea|task)\b|\b(?:preferred|required|needed|wanted|best|fine|ok|okay|enough)\b/;
/** "Do not refine anisotropically", "in P21". */
const manner = /^ (?:[a-z]+ly|in|at|to|with|as)\b/;

export const actionOf = ({ start, end, words }: ProgramMark, how: Pick<Action, 'mode' | 'only' | 'first'>): Action => ({
  program: words.program,
  alone: words.alone,
  task: words.task !== undefined,
  start,
  end,
  ...how,
});

/** Reads a sentence from left to right: the last cue before a program determines the action. */
export class SentenceReader {
  readonly actions: Action[] = [];
  readonly before: Action[] = [];
  private isAfter = false;
  /** Position of "with" or "using", if the current mode comes from it. */
  private how: number | undefined;
  private mode: Mode | undefined;
  /** End of the range of the current mode. */
  private until = 0;
  private only = false;
  private first = false;
  private lastCue: CueName | undefined;
  private lastProgram: ProgramMark | undefined;
  /** Last program of "stop after", which a list may continue. */
  private stopped: ProgramMark | undefined;

  constructor(
    private readonly plain: string,
    private readonly words: AdviceWords,
    private readonly facts: SentenceFacts,
  ) {}

  cue(mark: Span, cue: CueName): void {
    this.lastCue = cue;
    if (cue === 'last') this.endsWithLast(mark);
    if (cue === 'again') this.mode = undefined;
    if (cue === 'only') this.saysOnly(mark);
    this.first ||= this.isFirstAhead(mark, cue);
    if (cue === 'first') this.changeLast({ first: true });
    const mode = modeOfCue[cue];
    if (mode !== undefined && !this.staysStop(mark, mode)) this.enter(mark, mode);
  }

  /** Whether what follows comes first; in "phase it first, then refine" that stands before the word. */
  private isFirstAhead({ start, end }: Span, cue: CueName): boolean {
    if (cue !== 'first') return cue === 'start' || this.plain.startsWith('start ', start);
    const isHead = /(?:^|[,;:] ?|\b(?:please|and|but|then|do|run|go) )$/.test(this.plain.slice(0, start));
    return isHead || !/^(?:,| (?:and )?then\b)/.test(this.plain.slice(end, end + 10));
  }

  /** "Stop after running X": the stop remains despite the verb and the purpose of X. */
  private staysStop({ start }: Span, mode: Mode): boolean {
    return this.mode === 'stop_after' && start <= this.until && (mode === 'run' || mode === 'given');
  }

  private enter({ start, end }: Span, mode: Mode): void {
    this.mode = mode;
    this.how = /^(?:using|with|via|through)\b/.test(this.plain.slice(start, end)) ? start : undefined;
    this.isAfter = mode === 'given' && /^(?:after|once|when|following|until)\b/.test(this.plain.slice(start, end));
    this.until = end + reach;
  }

  program(mark: ProgramMark): void {
    this.lastProgram = mark;
    const mode = this.continuesStop(mark) ? 'stop_after' : this.modeFor(mark);
    if (mode === 'given' && this.isAfter) this.before.push(actionOf(mark, { mode: 'run', only: false, first: false }));
    if (mode === undefined || mode === 'given' || this.isLeftAlone(mark, mode)) return;
    const { only, first } = this;
    this.until = Math.max(this.until, mark.end + reach);
    this.actions.push(actionOf(mark, { mode, only, first }));
    if (mode !== 'stop_after') return;
    this.mode = undefined;
    this.stopped = mark;
  }

  /** "Stop after phaser and one round of refinement": the last of a list counts. */
  private continuesStop({ start, asks }: ProgramMark): boolean {
    const before = this.stopped;
    const isList = before !== undefined && !asks && listed.test(this.plain.slice(before.end, start));
    if (isList) this.changeLast({ mode: 'run' });
    return isList;
  }

  private modeFor(mark: ProgramMark): Mode | undefined {
    const denial = this.denialOf(mark);
    if (mark.skips) return denial === 'far' ? undefined : 'skip';
    if (denial !== undefined) return this.modeDenied(mark, denial);
    if (this.facts.denials.isOn(mark)) return 'run';
    return this.modeWanted(mark, this.modeAt(mark));
  }

  /** "Fit the ligand after the first refinement": for programs but refinement the round says only when. */
  private denialOf(mark: ProgramMark): ReturnType<Denials['of']> {
    const { denials } = this.facts;
    const denial = denials.of(mark);
    const { xray, cryoem } = this.words.knowledge.meant.refinement;
    const isRefinement = [xray.program, cryoem.program].includes(mark.words.program);
    const isWhen = denial === 'far' && !denials.denies && denials.whyNot(mark) === whyOfRounds;
    return isWhen && !isRefinement ? undefined : denial;
  }

  private modeWanted(mark: ProgramMark, current: Mode | undefined): Mode | undefined {
    const asks = this.asksItself(mark);
    if (current !== undefined) return asks && (current === 'given' || this.isNext(mark, current)) ? 'run' : current;
    return asks || this.only || this.facts.namesAsk || this.isOrder(mark) ? 'run' : undefined;
  }

  /** "The sites were found using autosol", "our experience with autobuild is mixed": how something was done, or what it is like. */
  private isTold({ end }: Span): boolean {
    if (this.how === undefined) return false;
    const before = this.plain.slice(0, this.how).split(partEnd).at(-1) ?? '';
    const [behind = ''] = this.plain.slice(end).split(partEnd);
    const { told, requesting, verbs } = this.words;
    const isOrder = requesting.test(before) || before.replace(lead, '').trim().search(verbs) === 0;
    const clause = before + behind;
    return !isOrder && !intends.test(clause) && (told.test(clause) || reporting.test(clause));
  }

  private asksItself({ asks, start, end }: ProgramMark): boolean {
    return (
      (asks && !toldOf.test(this.plain.slice(0, start))) ||
      this.facts.rounds.some((round) => start >= round.start && end <= round.end)
    );
  }

  /** "Use the labels, refine": a verb after the comma is another request. */
  private isNext({ start, asks }: ProgramMark, current: Mode): boolean {
    return current === 'prefer' && asks && /(?:[,;]|\b(?:and|then)) $/.test(this.plain.slice(0, start));
  }

  /** "Polder around residue 55", "autosol and nothing else": a name at the beginning of its sentence is a request, unless the sentence is a report. */
  private isOrder({ start, end }: Span): boolean {
    const behind = this.plain.slice(end);
    const isEnded = this.facts.ends.some((at) => /^,? ?(?:and ?)?$/.test(this.plain.slice(end, at)) && at >= end);
    return (
      /^(?:please )?(?:an? )?$/.test(this.plain.slice(0, start)) &&
      (isEnded || /^ (?:maps? )?(?:around|for|of|with|on|at|in|using|against)\b/.test(behind)) &&
      !this.words.told.test(behind)
    );
  }

  /** Undefined if it is unclear whether the program is to be skipped. */
  private modeDenied(mark: ProgramMark, denial: 'near' | 'far'): Mode | undefined {
    if (denial === 'far' || this.mode === 'given' || this.lastCue === 'start') return undefined;
    const behind = this.plain.slice(mark.end);
    if (saysElse(this.plain.slice(0, mark.start), behind) || this.isOfPart(mark)) return undefined;
    const isHow = this.facts.allValues.some(
      (value) =>
        value.start >= mark.end &&
        this.facts.denials.of(value) !== undefined &&
        (ofHow.test(this.plain.slice(mark.end, value.start)) || (value.start === mark.end + 1 && manner.test(behind))),
    );
    const isCounted = this.facts.allRounds.some((round) => overlap(round, mark));
    return isHow || isCounted ? undefined : 'skip';
  }

  /** "Do not refine the B factors", "do not sharpen with B factors", "no full refinement": a part or a way is denied, and the rest is done. */
  private isOfPart({ start, end, asks }: ProgramMark): boolean {
    const before = this.plain.slice(0, start);
    const behind = this.plain.slice(end);
    if (partBefore.test(before) || partBehind.test(behind)) return true;
    const { pattern } = this.words.fieldNouns;
    const isRefinement = this.plain.startsWith('refine', start);
    const [lead = ''] = objectLead.exec(behind) ?? [];
    const mayHave = isRefinement || (asks && /^ (?:with|by|using)\b/.test(lead));
    return (
      (mayHave && behind.slice(lead.length).search(pattern) === 0) ||
      (isRefinement && matchesOf(pattern, this.plain).some((noun) => spanOf(noun).end === start - 1))
    );
  }

  private modeAt(mark: Span): Mode | undefined {
    if (mark.start > this.until || this.mode === 'skip') return undefined;
    return this.mode === 'prefer' && this.isTold(mark) ? 'given' : this.mode;
  }

  /** An existing object: "the phaser solution". */
  private isLeftAlone(mark: Span, mode: Mode): boolean {
    return mode !== 'stop_after' && this.words.givenAfter.test(this.plain.slice(mark.end, mark.end + reach));
  }

  /** "Phaser is the last step". */
  private endsWithLast({ start }: Span): void {
    const named = this.lastProgram;
    if (named === undefined || this.facts.denials.of(named) !== undefined) return;
    if (!beforeLast.test(this.plain.slice(named.end, start))) return;
    if (this.actions.at(-1)?.start === named.start) this.actions.pop();
    this.actions.push(actionOf(named, { mode: 'stop_after', only: false, first: false }));
  }

  /** "Xtriage only": the word may come after the program. */
  private saysOnly({ start, end }: Span): void {
    this.only = true;
    const named = this.lastProgram;
    const isEnd = /^ *(?:please|pls)? *(?:[,;.:)!]|$)/.test(this.plain.slice(end));
    if (!isEnd || named === undefined || start - named.end > 2) return;
    // "MR only, no refinement": the name is a clause of its own.
    const isClause = /(?:^|[,;:] )$/.test(this.plain.slice(0, named.start));
    if (this.actions.at(-1)?.start === named.start) this.changeLast({ only: true });
    else if (isClause && this.modeFor(named) !== 'skip')
      this.actions.push(actionOf(named, { mode: 'run', only: true, first: false }));
  }

  private changeLast(change: Partial<Action>): void {
    const last = this.actions.pop();
    if (last !== undefined) this.actions.push({ ...last, ...change });
  }
}
