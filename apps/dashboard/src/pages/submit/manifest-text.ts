import type { ManifestType } from '../../api/calls';

/** Media types of manifests by file extension; others are treated as CSV, and the API reports errors. */
const types: Readonly<Record<string, ManifestType>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  jsonl: 'application/jsonl',
  ndjson: 'application/x-ndjson',
};

export const typeOfManifest = (name: string): ManifestType =>
  types[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'text/csv';

/** Beginning and end of a line in a text, from 1. */
export const rangeOfLine = (text: string, line: number): readonly [start: number, end: number] => {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return [start, end < 0 ? text.length : end];
};
