import { FileBench } from './fixtures/file-bench';

const bench = new FileBench();
afterAll(() => bench.remove());

let files = 0;
/** The chains of a file, or why it is not a sequence file. */
const chainsOf = async (content: string | Uint8Array, name = 's.fasta'): Promise<readonly string[] | string> => {
  files += 1;
  const path = bench.write(`${String(files)}${name}`, content);
  const look = await bench.inspector.inspect(path, { cycle: 0 }).catch((error: unknown) => error as Error);
  return look instanceof Error ? look.message : (look.facts.sequence?.sequences ?? look.facts.format);
};

it.each<[string, string | Uint8Array, readonly string[], string?]>([
  ['a byte-order mark', '\uFEFF>a\nMKT\n', ['MKT']],
  ['UTF-16, as Notepad writes it', Buffer.from('\uFEFF>a\r\nMKT\r\n', 'utf16le'), ['MKT']],
  ['lines that end with CR alone', '>a\rMKT\r>b\rGGA\r', ['MKT', 'GGA']],
  ['chains joined by a colon', '>a\nMKT:GGA\n', ['MKT', 'GGA']],
  ['a comment above its title', ';of Ida\n>a\nMKTAY\n', ['MKTAY']],
  ['numbers', '>a\n  1 mktay iakqr\n 11 qisf\n', ['MKTAYIAKQRQISF']],
  ['GenBank', 'LOCUS  X 5 aa\nORIGIN\n        1 mktay iak\n//\n', ['MKTAYIAK']],
  ['the letters of a GenBank entry alone', 'ORIGIN\n        1 mktay iak\n//\n', ['MKTAYIAK'], 'copied.txt'],
  ['UniProt', 'ID   X_HUMAN\nSQ   SEQUENCE   8 AA;\n     MKTAYIAK\n//\n', ['MKTAYIAK']],
  ['three-letter codes with blanks', '>a\nMET LYS THR ALA\n', ['MKTA']],
  ['three-letter codes with hyphens', '>a\nMet-Lys-Thr-Ala\n', ['MKTA']],
  ['three-letter codes in a row, over lines', '>a\nMetLysThrAlaT\nyrIle\n', ['MKTAYI']],
  ['selenomethionine', '>a\nMSE LYS THR ALA\n', ['MKTA']],
  ['a title of PIR', '>P1;x\nsome title 1.5 A\nmktay*\n', ['MKTAY']],
])('reads a sequence with %s', async (_, content, chains, name) => {
  expect(await chainsOf(content, name)).toEqual(chains);
});

it.each([
  ['three-letter codes of which one is unknown', '>a\nMET LYS QQQ ALA\n', '"QQQ" is not an amino acid'],
  ['a title without its mark', 'Lysozyme from hen\nMKTAY\n', 'its line 1 holds no letters', 's.seq'],
  ['a title in mixed case', 'HEWL lysozyme\nMKTAYIAK\n', 'its line 1 holds no letters', 's.seq'],
  ['a title of one word', 'Lysozyme\nMKTAYIAK\n', 'its line 1 holds no letters', 's.seq'],
  ['a title in capitals', 'LYSOZYME\nMKTAYIAKQR\n', 'its line 1 holds no letters', 's.seq'],
  ['a title of a second chain', 'MKTAYIAKQR\n\nChain B\nMKTAYIAKQR\n', 'its line 3 holds no letters', 's.seq'],
  ['other characters', '>a\nMKT{}AY\n', 'its line 2 holds no letters of residues'],
])('rejects %s instead of guessing', async (_, content, why, name = 's.fasta') => {
  expect(await chainsOf(content, name)).toContain(why);
});

it('classifies a mail with quotes as text', async () => {
  expect(await chainsOf('> Dear Ida,\nI have 3 crystals (P2)!\n', 'mail.txt')).toBe('text');
});
