import { matchesOf, type AdviceWords } from './compile-words';

/** An unread part of the text, and the reason. */
interface RemovedText {
  readonly words: string;
  readonly why: string;
}

/** The text to be read, and what was removed from it. */
export interface CleanedAdvice {
  readonly text: string;
  readonly removed: readonly RemovedText[];
}

/** Maximum length of removed text that is shown. */
const longestShown = 200;
/** Maximum number of meaningful repetitions of a character or word. */
const maxRepeats = 5;

const shown = (words: string): string => (words.length > longestShown ? `${words.slice(0, longestShown)} …` : words);

/** Invisible characters, which are removed; line breaks and tabs become blanks. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

const withoutInvisible = (text: string, removed: RemovedText[]): string => {
  const plain = text.normalize('NFKC').replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').replaceAll('’', "'");
  let count = 0;
  const visible = plain.replaceAll(invisible, (character) => {
    if (character === '\n') return character;
    count += 1;
    return '';
  });
  if (count > 0) removed.push({ words: `${String(count)} characters`, why: 'characters that cannot be seen' });
  return visible;
};

const endOfParagraph = (text: string, from: number): number => {
  const end = text.indexOf('\n\n', from);
  return end < 0 ? text.length : end;
};

/** The rest of the paragraph after such words is probably part of the attack, so it is removed too. */
const withoutHostile = (text: string, words: AdviceWords, removed: RemovedText[]): string => {
  const found = words.hostile
    .flatMap(({ of, pattern }) => matchesOf(pattern, text).map(({ index }) => ({ of, index })))
    .sort((one, other) => one.index - other.index);
  let cleaned = '';
  let at = 0;
  for (const { of, index } of found) {
    if (index < at) continue;
    const end = endOfParagraph(text, index);
    removed.push({ words: shown(text.slice(index, end)), why: of.why });
    cleaned += text.slice(at, index);
    at = end;
  }
  return cleaned + text.slice(at);
};

/** Keeps the first of many equal words or lines in a row. */
const withoutRepeats = (text: string, removed: RemovedText[]): string => {
  const short = text.replaceAll(/(\S)\1{20,}/gu, (run, character: string) => {
    removed.push({ words: shown(run), why: 'a character repeated many times' });
    return character.repeat(3);
  });
  const parts = short.split(/(?<=\s)/u);
  const lines: string[] = [];
  let repeats = 0;
  let dropped = 0;
  let before = '';
  for (const part of parts) {
    const word = part.trim();
    repeats = word !== '' && word === before ? repeats + 1 : 0;
    before = word;
    if (repeats < maxRepeats) lines.push(part);
    else dropped += 1;
  }
  if (dropped > 0) removed.push({ words: `${String(dropped)} words`, why: 'a word repeated many times' });
  return lines.join('');
};

/** Markdown around one word, a file or a parameter: no command of a shell. */
const codeSpan = /`([\w./+=-]{1,120})`/g;

/** The text to be read: without invisible characters, prompt injections and endless repetitions. */
export const cleanAdvice = (raw: string, words: AdviceWords): CleanedAdvice => {
  const removed: RemovedText[] = [];
  const plain = withoutInvisible(raw, removed).replaceAll(codeSpan, '$1');
  const text = withoutRepeats(withoutHostile(plain, words, removed), removed)
    .replaceAll('**', '')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return { text, removed };
};
