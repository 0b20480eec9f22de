import { shortName } from '@fleet/contracts/sessions';
import { matchesOf } from './compile-words';
import type { AdviceSources } from './draft';
import { marksOf, mentionsOf } from './marks';
import { directivePath, type ModelDirective, type DirectivePath } from './model-directive';
import type { SentenceFindings } from './sentence-findings';
import { overlap, spanOf, type Span } from './spans';

/** The content of a text, sentence by sentence. */
export interface Grounds {
  readonly findings: readonly SentenceFindings[];
  readonly sources: AdviceSources;
}

/** A directive, and the sentences that contain its words. */
interface GroundedDirective extends Grounds {
  readonly directive: ModelDirective;
  readonly sentences: readonly SentenceFindings[];
}

/** Text as the model was shown it: without folders, and normalised because models copy punctuation and blanks inexactly. */
const copied = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\n\| ?/g, ' ')
    .replaceAll(/(?:\/[^\s/'"]+)+\/(?=[^\s/'"])/g, '')
    .replaceAll(/[“”"'’‘`]/g, '')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll(/[.,;:!?]+(?= |$)/g, '')
    .trim();

/** The sentences that contain these words, completely or partly; empty if the text does not contain them. */
const sentencesWith = (words: string, findings: readonly SentenceFindings[]): readonly SentenceFindings[] => {
  const wanted = copied(words);
  if (!/[\p{L}\p{N}]{2}/u.test(wanted)) return [];
  let whole = '';
  const places = findings.map((one) => {
    const start = whole.length;
    whole += `${copied(one.sentence.words)} `;
    return { one, start, end: whole.length };
  });
  const start = whole.indexOf(wanted);
  return start < 0
    ? []
    : places.filter((place) => overlap(place, { start, end: start + wanted.length })).map(({ one }) => one);
};

const deny =
  /\b(?:skip|avoid|omit|exclude|ignore|bypass|without|never|no|not|none|dont|refrain|forget|disable|unnecessary|instead of|rather than|turn off|switch off)\b|n't\b|\bleave\b.{0,40}\b(?:out|away|off)\b/;
/** "End the refinement with anisotropic B values" is not an end, and neither is "once phaser is done". */
const ends =
  /\b(?:(?:stop|end|finish|halt|quit|terminate|conclude)(?:s|es|ing|ping)?(?! (?:the|this|my|our|with) (?!run|session|job|work))|(?:that|this|it)(?: is|'s| will be| would be| should be)? enough|(?:are|be|am|we're|i'm) done|nothing (?:else|more|further)|no further|call it a day|(?:that is|that's) all)\b/;
const wants =
  /\b(?:want|like|love|need|prefer|please|should|must|first|start|begin|before|go for|give|let|try|run|use|do|favou?r)\b/;
const only = /\b(?:only|just|merely|solely|nothing but)\b(?: [^ ]+){0,4}$/;

const says = ({ sentences }: GroundedDirective, pattern: RegExp): boolean =>
  sentences.some(({ sentence }) => pattern.test(sentence.plain));

const placesOf = (program: string, one: SentenceFindings, { words, experiment }: AdviceSources): readonly number[] => {
  const { sentence } = one;
  const named = mentionsOf(marksOf(sentence, words, experiment)).filter((mention) => mention.program === program);
  const name = shortName(program).replaceAll('_', ' ');
  const literal = matchesOf(new RegExp(`\\b${name}\\b`, 'g'), sentence.plain);
  return [...named.map(({ start }) => start), ...literal.map(({ index }) => index)];
};

const names = (program: string, { sentences, sources }: GroundedDirective): boolean =>
  sentences.some((one) => placesOf(program, one, sources).length > 0);

const forbids = (program: string, { sentences }: GroundedDirective): boolean =>
  sentences.some(({ found }) => found.actions.some((action) => action.program === program && action.mode === 'skip'));

const isWanted = (program: string, grounded: GroundedDirective): string | undefined => {
  if (!names(program, grounded)) return `the words do not name ${program}`;
  return forbids(program, grounded) ? `the words want to do without ${program}` : undefined;
};

const asksFor = (program: string, grounded: GroundedDirective): string | undefined => {
  const isAsked = grounded.sentences.some(({ sentence, found }) => found.asks || wants.test(sentence.plain));
  return isWanted(program, grounded) ?? (isAsked ? undefined : 'the words do not ask for anything');
};

const endsWith = (program: string, grounded: GroundedDirective): string | undefined => {
  const { sentences, sources } = grounded;
  const isEnd = sentences.some(
    (one) =>
      !one.found.goesOn &&
      (ends.test(one.sentence.plain) ||
        placesOf(program, one, sources).some((start) => only.test(one.sentence.plain.slice(0, start).trimEnd()))),
  );
  return isWanted(program, grounded) ?? (isEnd ? undefined : 'the words do not say that anything ends');
};

const figure = /(?<![\w.])-?(?:\d+(?:\.\d+)?|\.\d+)( ?%)?/g;

/** Numbers in a sentence, as digits or as words. */
const numbersIn = ({ sentence: { plain } }: SentenceFindings, { words }: AdviceSources): readonly number[] => {
  const figures = matchesOf(figure, plain).flatMap(([text, percent]) => {
    const number = Number.parseFloat(text);
    return percent === undefined ? [number] : [number, number / 100];
  });
  const { numbers } = words.knowledge;
  // "A refinement" is not a count.
  const spelt = plain.split(/[^a-z]+/).filter((word) => word.length > 2 && word !== 'quick');
  return [...figures, ...spelt.flatMap((word) => (Object.hasOwn(numbers, word) ? (numbers[word] ?? []) : []))];
};

const hasNumber = (value: number, { sentences, sources }: GroundedDirective): boolean =>
  sentences.some((one) => numbersIn(one, sources).some((number) => Math.abs(number - value) < 1e-9));

const isNumberOf = (grounded: GroundedDirective, of: RegExp): string | undefined => {
  const { value } = grounded.directive;
  if (typeof value !== 'number' || !hasNumber(value, grounded)) return `the words do not have ${String(value)}`;
  return says(grounded, of) ? undefined : 'the words speak of something else';
};

const turn = /\b(?:but|then|instead)\b|[,;:]/;
const denyAfter = /\b(?:not|off|out|away|unnecessary|unwanted|omitted|excluded|avoided)\b|n't\b/;

/** Whether a position in a sentence is negated: before or after it, up to the next clause. */
const isDenied = ({ sentence, denials }: SentenceFindings, { start, end }: Span): boolean => {
  const before = sentence.plain.slice(0, start).split(turn).at(-1) ?? '';
  const behind = sentence.plain.slice(end).split(turn)[0] ?? '';
  return denials.of({ start, end }) !== undefined || deny.test(before) || denyAfter.test(behind);
};

/** A flag, by its required words. A negated flag is not requested. */
const isFlagOf = (of: RegExp, grounded: GroundedDirective, value = grounded.directive.value): string | undefined => {
  const denied = grounded.sentences.flatMap((one) =>
    matchesOf(new RegExp(of, 'g'), one.sentence.plain).map((match) => isDenied(one, spanOf(match))),
  );
  if (denied.length === 0) return 'the words speak of something else';
  return denied.some((one) => one !== value) ? undefined : 'the words say the opposite';
};

const bare = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

const isElement = (value: string, plain: string, { words }: AdviceSources): boolean =>
  Object.entries(words.knowledge.elements).some(([name, symbol]) => symbol === value && plain.includes(name));

/** Text of a value; a short one must be a separate word. */
const hasText = (value: string, { sentences, sources }: GroundedDirective): boolean =>
  sentences.some(({ sentence: { words, plain } }) => {
    if (isElement(value, plain, sources)) return true;
    return value.length > 3
      ? bare(words).includes(bare(value))
      : words
          .toLowerCase()
          .split(/[^a-z0-9]+/)
          .includes(value.toLowerCase());
  });

/** Words for a parameter: from its name, and from `advice.yaml`. */
const stemsOf = (key: string, { words }: AdviceSources): readonly string[] => {
  const why = words.knowledge.settings.filter((one) => one.key === key && one.type === 'flag').map((one) => one.why);
  return [key, ...why]
    .flatMap((text) => text.toLowerCase().split(/[^a-z]+/))
    .filter((word) => word.length > 2 && !['are', 'not', 'and', 'the', 'added', 'for'].includes(word))
    .map((word) => word.slice(0, 5));
};

const hasValue = (key: string, grounded: GroundedDirective): string | undefined => {
  const { value } = grounded.directive;
  if (typeof value === 'boolean') {
    const stems = stemsOf(key, grounded.sources);
    return stems.length === 0 ? `${key} is no word` : isFlagOf(new RegExp(`\\b(?:${stems.join('|')})`), grounded);
  }
  const isThere = typeof value === 'number' ? hasNumber(value, grounded) : hasText(value, grounded);
  return isThere ? undefined : `the words do not have ${String(value)}`;
};

/** A setting of one program: the text names it, or no other program has the parameter. */
const isSetting = (program: string, key: string, grounded: GroundedDirective): string | undefined => {
  const { sources, findings } = grounded;
  const owners = Object.values(sources.programs).filter(({ strategy }) => strategy.some((one) => one.key === key));
  const isOwn =
    program === 'default' ||
    (owners.length === 1 && owners[0]?.name === program) ||
    sources.words.knowledge.settings.some((one) => one.key === key && one.program === program) ||
    names(program, { ...grounded, sentences: findings });
  return isOwn ? hasValue(key, grounded) : `the text does not name ${program}`;
};

const isFile = (name: string, grounded: GroundedDirective): boolean =>
  grounded.sentences.some(({ sentence: { words } }) => words.includes(name.split('/').at(-1) ?? name));

const flags: Readonly<Record<string, RegExp>> = {
  skip_validation: /\b(?:validat|molprobity|geometry check|checks?\b)/,
  use_experimental_phasing: /\b(?:phas(?!er\b)|sad\b|mad\b|siras\b|mr ?sad\b|anomalous|heavy atom|selen|semet)/,
  use_mr_sad: /\bmr ?sad\b|\bsad\b/,
  use_molecular_replacement: /\b(?:mr\b|molecular replacement|search model|phaser)/,
  model_is_placed: /\b(?:placed|in place|position|docked|fitted|oriented|solved|rigid)/,
};

/** For skipping the validation: the flag is set if the words negate it. */
const isFlag = (key: string, of: RegExp, grounded: GroundedDirective): string | undefined =>
  key === 'skip_validation' ? isFlagOf(of, grounded, grounded.directive.value !== true) : isFlagOf(of, grounded);

const counted: Readonly<Record<string, RegExp>> = {
  after_cycle: /\b(?:cycles?|steps?|programs?|rounds?)\b/,
  max_refine_cycles: /\brefin|\brounds?\b/,
  r_free_target: /\br ?free\b/,
  map_cc_target: /\bcc|\bcorrelation/,
};

/** Directives that name a program or a file. */
const named: Readonly<Record<string, (value: string, grounded: GroundedDirective) => string | undefined>> = {
  after_program: endsWith,
  start_with_program: asksFor,
  prefer_programs: asksFor,
  skip_programs: (program, grounded) => {
    if (!names(program, grounded)) return `the words do not name ${program}`;
    return says(grounded, deny) ? undefined : 'the words do not say that anything is left out';
  },
  exclude: (file, grounded) => {
    if (!isFile(file, grounded)) return `the words do not name ${file}`;
    return says(grounded, deny) ? undefined : 'the words do not say that anything is left out';
  },
};

const whyNot = (place: DirectivePath, grounded: GroundedDirective): string | undefined => {
  const { key } = place;
  const value = String(grounded.directive.value);
  if (place.section === 'program_settings') return isSetting(place.program, key, grounded);
  const [number, flag, name] = [counted[key], flags[key], named[key]];
  if (number !== undefined) return isNumberOf(grounded, number);
  if (flag !== undefined) return isFlag(key, flag, grounded);
  if (name !== undefined) return name(value, grounded);
  return isFile(value, grounded) ? undefined : `the words do not name ${value}`;
};

const whyOpen = {
  condition: 'the words set a condition',
  question: 'the words ask a question',
  foreign: 'the words are not in English',
} as const;

/** Why a text does not support a model's reading; undefined if it does. */
export const unsupportedBecause = (directive: ModelDirective, grounds: Grounds): string | undefined => {
  const path = directivePath(directive.field);
  const sentences = sentencesWith(directive.words, grounds.findings);
  if (path === undefined || sentences.length === 0) return 'the text has no such words';
  const open = sentences.map(({ isOpen }) => isOpen).find((one) => one !== undefined);
  return open === undefined ? whyNot(path, { ...grounds, directive, sentences }) : whyOpen[open];
};
