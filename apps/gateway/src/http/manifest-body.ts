import type { Readable } from 'node:stream';
import type { manifestTypes } from '@fleet/contracts/batches';
import type { ManifestFormat } from '@fleet/manifest';
import { ArrivingBody } from './arriving-body';

/** The manifest format of a media type. */
export const formatOfManifest: Readonly<Record<(typeof manifestTypes)[number], ManifestFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};

const cutShort = 'The manifest is incomplete. Received rows are stored; send it again.';

/** Rows of a batch, in a format that is read row by row as it arrives. */
export class ManifestBody extends ArrivingBody {
  readonly #format: ManifestFormat;

  constructor(bytes: Readable, format: ManifestFormat) {
    super(bytes, cutShort);
    this.#format = format;
  }

  get format(): ManifestFormat {
    return this.#format;
  }
}
