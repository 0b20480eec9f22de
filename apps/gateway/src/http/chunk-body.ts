import type { Readable } from 'node:stream';
import { ArrivingBody } from './arriving-body';

/** A chunk of an upload. */
export class ChunkBody extends ArrivingBody {
  constructor(bytes: Readable) {
    super(bytes, 'The chunk did not arrive as a whole. What arrived is kept: ask for the offset, and continue there.');
  }
}
