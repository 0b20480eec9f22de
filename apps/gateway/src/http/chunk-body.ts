import type { Readable } from 'node:stream';
import { ArrivingBody } from './arriving-body';

/** A chunk of an upload. */
export class ChunkBody extends ArrivingBody {
  constructor(bytes: Readable) {
    super(bytes, 'The chunk is incomplete. Received bytes are stored: query the offset, and continue there.');
  }
}
