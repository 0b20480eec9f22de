import type { Readable } from 'node:stream';
import type { ManifestFormat } from '@fleet/manifest';
import { ArrivingBody } from '../http/arriving-body';

/** Media types of manifests. A web page of another origin can send none of them without being asked first. */
export const manifestTypes: Readonly<Record<string, ManifestFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
};

const cutShort = 'The manifest did not arrive as a whole. Rows that arrived are kept; send it again.';

/** Rows of a batch, in a format of which each row is read as it arrives. */
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
