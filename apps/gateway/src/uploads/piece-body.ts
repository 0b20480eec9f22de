import type { Readable } from 'node:stream';
import { ArrivingBody } from '../http/arriving-body';

/** Media type of a piece, as tus 1.0 has it. A web page of another origin cannot send it without being asked first. */
export const pieceType = 'application/offset+octet-stream';

/** A piece of an upload. */
export class PieceBody extends ArrivingBody {
  constructor(bytes: Readable) {
    super(bytes, 'The piece did not arrive as a whole. What arrived is kept: ask for the offset, and continue there.');
  }
}
