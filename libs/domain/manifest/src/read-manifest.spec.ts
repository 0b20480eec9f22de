import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { isFault } from '@fleet/contracts/faults';
import { longestRow } from './manifest-limits';
import { readManifest, type ManifestEntry, type ManifestFormat } from './index';

const inPieces = (bytes: Buffer, size: number): AsyncIterable<Uint8Array> =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  );

const entriesOf = async (
  manifest: string | Buffer,
  format: ManifestFormat = 'csv',
  size = 65_536,
): Promise<readonly ManifestEntry[]> => {
  const entries: ManifestEntry[] = [];
  const bytes = Buffer.from(manifest as string);
  for await (const entry of readManifest(inPieces(bytes, size), format)) entries.push(entry);
  return entries;
};

const rowsOf = async (...given: Parameters<typeof entriesOf>): Promise<readonly unknown[]> =>
  (await entriesOf(...given)).map((entry) =>
    'row' in entry ? entry.row : `line ${String(entry.line)}: ${entry.problem.reason}`,
  );

const refusal = async (manifest: string | Buffer, format: ManifestFormat = 'csv'): Promise<readonly string[]> => {
  try {
    await entriesOf(manifest, format);
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.problems.map(({ reason }) => reason);
  }
  return [];
};

describe('a CSV manifest', () => {
  it('gives each row the members of its columns, in the types of a submission', async () => {
    const header =
      'files.data,files.model,title,settings.max_cycles,settings.analysis_only,directives.stop_conditions.after_program,variables.crystal';
    expect(await rowsOf(`${header}\n/d/a.mtz,/d/m.pdb,first,7,TRUE,phenix.refine,x1\n/d/b.mtz,,,,,,\n`)).toEqual([
      {
        files: ['/d/a.mtz', '/d/m.pdb'],
        title: 'first',
        settings: { max_cycles: 7, analysis_only: true },
        directives: { stop_conditions: { after_program: 'phenix.refine' } },
        variables: { crystal: 'x1' },
      },
      { files: ['/d/b.mtz'] },
    ]);
  });

  it('gives files, and ligands by code and by SMILES, several in a cell', async () => {
    const manifest =
      'files,ligands.code,ligands.smiles\n/a,NAG;NDG,\n/b.mtz; /b.pdb,,CCO LIG\n/c,GOL,"c1ccccc1; C=CCO L02"\n';
    expect(await rowsOf(manifest)).toEqual([
      { files: ['/a'], ligands: [{ code: 'NAG' }, { code: 'NDG' }] },
      { files: ['/b.mtz', '/b.pdb'], ligands: [{ smiles: 'CCO', id: 'LIG' }] },
      { files: ['/c'], ligands: [{ code: 'GOL' }, { smiles: 'c1ccccc1' }, { smiles: 'C=CCO', id: 'L02' }] },
    ]);
    expect(await refusal('files,ligands\n/a,NAG\n')).toEqual([expect.stringContaining('"ligands" is not a column')]);
  });

  it.each([
    ['a byte order mark', '\ufefffiles,title\n/a,t\n'],
    ['semicolons', 'files;title\n/a;t\n'],
    ['tabulators', 'files\ttitle\n/a\tt\n'],
    ['line ends of Windows', 'files,title\r\n/a,t\r\n'],
    ['line ends of an old Mac', 'files,title\r/a,t\r'],
    ['no line end at its end', 'files,title\n/a,t'],
    ['empty lines', '\n\nfiles,title\n\n/a,t\n,\n\n'],
    ['quotes', '"files","title"\n"/a","t"\n'],
  ])('is read with %s, in chunks of any size', async (_, manifest) => {
    for (const size of [1, 2, 3, 65_536])
      expect(await rowsOf(manifest, 'csv', size)).toEqual([{ files: ['/a'], title: 't' }]);
  });

  it('keeps delimiters, quotes, line breaks and formulas of cells unchanged', async () => {
    const manifest = 'files,title,advice\n"/a,1.mtz","say ""x""","one\r\ntwo"\n/b,=1+1,@x\n';
    expect(await rowsOf(manifest)).toEqual([
      { files: ['/a,1.mtz'], title: 'say "x"', advice: 'one\r\ntwo' },
      { files: ['/b'], title: '=1+1', advice: '@x' },
    ]);
  });

  it('rejects an invalid row with its line and reason, and continues', async () => {
    const long = 'x'.repeat(longestRow + 10);
    expect(await rowsOf(`files,title\n/a\n/b,"t"u\n"/c${long}",t\n/d,t\n/e,"open\n/f,t\n`)).toEqual([
      'line 2: has 1 cells, and the header has 2',
      'line 3: text follows a closing quote',
      `line 4: is too long: more than ${String(longestRow)} characters`,
      { files: ['/d'], title: 't' },
      'line 6: a quote that was opened in line 6 is never closed: everything behind it would belong to this row',
    ]);
  });

  it('reports all problems of its header', async () => {
    expect(await refusal('file,titel,title,title,settings,submitter,variables.X\n')).toEqual([
      '"file" is not a column of a manifest; did you mean "files"?',
      '"titel" is not a column of a manifest; did you mean "title"?',
      '"settings" is not a column of a manifest',
      '"submitter" is not a column of a manifest',
      '"variables.X" is not a column of a manifest',
      '"title" stands in the header twice',
    ]);
    expect(await refusal(Buffer.from([0x66, 0xff, 0xfe, 0x0a]))).toEqual(['is not UTF-8 (before byte 4)']);
  });

  it('keeps a value of the wrong type as text, for the validation', async () => {
    expect(await rowsOf('files,settings.max_cycles,settings.simulated_programs\n/a,many,phenix.a; phenix.b\n')).toEqual(
      [{ files: ['/a'], settings: { max_cycles: 'many', simulated_programs: ['phenix.a', 'phenix.b'] } }],
    );
  });

  it('restores what was written, for any text in its cells', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => text.trim() !== '');
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (cells, size) => {
          const manifest = ['title,advice', ...cells.map((both) => both.map(quoted).join(','))].join('\n');
          expect(await rowsOf(manifest, 'csv', size)).toEqual(cells.map(([title, advice]) => ({ title, advice })));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a YAML manifest', () => {
  it('is read entry by entry', async () => {
    const manifest =
      '---\n# rows\n- files: [/a]\n  settings:\n    max_cycles: 3\n\n- files:\n    - /b\n  advice: |\n    one\n    two\n# end\n';
    for (const size of [1, 65_536])
      expect(await rowsOf(manifest, 'yaml', size)).toEqual([
        { files: ['/a'], settings: { max_cycles: 3 } },
        { files: ['/b'], advice: 'one\ntwo\n' },
      ]);
  });

  it('rejects an invalid entry, and continues', async () => {
    const bomb = [
      '- a: &a [1,1,1,1,1,1,1,1,1]',
      ...'bcdefgh'.split('').map(
        (name, at) =>
          `  ${name}: &${name} [${Array(9)
            .fill(`*${'abcdefg'.charAt(at)}`)
            .join(',')}]`,
      ),
    ].join('\n');
    const [unread, text, many, last] = await rowsOf(`- {files: [\n- just text\n${bomb}\n- {title: t}\n`, 'yaml');
    expect(unread).toContain('line 1: cannot be read: ');
    expect([text, many, last]).toEqual(['line 2: is "just text"', 'line 3: holds too many values', { title: 't' }]);
  });

  it('is refused if it is not a list', async () => {
    expect(await refusal('files: [/a]\n', 'yaml')).toEqual(['line 1 is not an entry of a list']);
  });
});

describe('JSON lines', () => {
  it('are read line by line; a huge line affects only itself', async () => {
    const long = `{"title":"${'x'.repeat(10_000_000)}"}`;
    expect(
      await rowsOf(`{"files":["/a"]}\n\n{oops}\n[1]\n${long}\r\n{"title":"t","__proto__":{"x":1}}`, 'jsonl'),
    ).toEqual([
      { files: ['/a'] },
      expect.stringContaining('line 3: cannot be read: ') as unknown,
      'line 4: is a list',
      'line 5: is too long',
      JSON.parse('{"title":"t","__proto__":{"x":1}}'),
    ]);
  });
});
