import type { ModelMessage } from '@fleet/ports';

/** Capitals in a row (sequences), words, numbers, characters of other scripts, and what stands alone; more than one space is such, too. */
const pieces = /([A-Z]{2,})|([A-Za-z]+)|(\d+)|([^\s!-~])|\s{2,}|\S/g;

/** Tokens for the form of a chat and the schema of the answer. */
const around = 300;
/** What a target has counted is believed between these: cached parts of a prompt are not counted everywhere. */
const [leastFactor, mostFactor] = [0.75, 4];
/** How fast an estimate follows counts that are lower; it follows higher ones at once. */
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

/** How many tokens messages have for one target: estimated by the kinds of their characters, corrected by what the target has counted. */
export class TokenMeter {
  private factor = 1;

  estimate(messages: readonly ModelMessage[]): number {
    return Math.ceil(rawOf(messages) * this.factor);
  }

  /** @param counted tokens of these messages as the target has counted them */
  learn(messages: readonly ModelMessage[], counted: number): void {
    const seen = Math.min(Math.max(counted / rawOf(messages), leastFactor), mostFactor);
    this.factor = seen > this.factor ? seen : this.factor + easing * (seen - this.factor);
  }
}
