import type { AssessmentPart } from '@fleet/contracts/results';

/** A piece of a text; marked if it is a number that the session does not contain. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * The text of a part, split at unsupported numbers. An invalid position is ignored, so that no text is lost or
 * repeated.
 */
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
