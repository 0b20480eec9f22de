import type { ModelMessage } from '@fleet/ports';

/**
 * Consecutive capitals (sequences), words, numbers, characters of other scripts, and single characters, including
 * additional spaces.
 */
const pieces = /([A-Z]{2,})|([A-Za-z]+)|(\d+)|([^\s!-~])|\s{2,}|\S/g;

/** Tokens for the chat format and the response schema. */
const around = 300;
/** Limits for a target's counts: not every target counts cached parts of a prompt. */
const [leastFactor, mostFactor] = [0.75, 4];
/** How fast an estimate follows lower counts; it follows higher ones at once. */
const easing = 0.2;

const tokensIn = (text: string): number => {
  let tokens = 0;
  for (const [, capitals, word, digits, other] of text.matchAll(pieces)) {
    if (capitals !== undefined) tokens += capitals.length / 1.7;
    else if (word !== undefined) tokens += Math.ceil(word.length / 4);
    else if (digits !== undefined) tokens += Math.ceil(digits.length / 3);
    else tokens += other === undefined ? 1 : 2;
  }
  return tokens;
};

const rawOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { text }) => sum + tokensIn(text), around);

/** Estimates the number of tokens of messages for one target by character classes, corrected by the target's counts. */
export class TokenMeter {
  private factor = 1;

  estimate(messages: readonly ModelMessage[]): number {
    return Math.ceil(rawOf(messages) * this.factor);
  }

  /** @param counted tokens of these messages as reported by the target */
  learn(messages: readonly ModelMessage[], counted: number): void {
    const seen = Math.min(Math.max(counted / rawOf(messages), leastFactor), mostFactor);
    this.factor = seen > this.factor ? seen : this.factor + easing * (seen - this.factor);
  }
}
