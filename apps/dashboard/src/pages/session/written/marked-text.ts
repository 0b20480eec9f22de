import type { AssessmentPart } from '@fleet/contracts/results';

/** A piece of a text; marked where it is a number that the session does not have. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The text of a part, cut around the numbers that are none of the session's. A place that does not hold is passed over: nothing of the text is lost or said twice. */
export const markedPieces = ({
  text,
  unsupported = [],
}: Pick<AssessmentPart, 'text' | 'unsupported'>): readonly Piece[] => {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { text: number, at } of unsupported) {
    if (at < end || number === '' || !text.startsWith(number, at)) continue;
    if (at > end) pieces.push({ text: text.slice(end, at), isMarked: false });
    pieces.push({ text: number, isMarked: true });
    end = at + number.length;
  }
  return end < text.length ? [...pieces, { text: text.slice(end), isMarked: false }] : pieces;
};
