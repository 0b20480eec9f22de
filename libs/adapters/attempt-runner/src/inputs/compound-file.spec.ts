import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCompoundFile } from './compound-file';

describe('a file with SMILES', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compound-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is written beside the copies of the files, and its path stands where its name stood', () => {
    const inputs = join(folder, 'inputs');
    const argv = ['phenix.elbow', '--smiles=LIG.smi', '--id=LIG'];
    const file = { argument: 1, flag: '--smiles', name: 'LIG.smi', smiles: 'CC(=O)O' };
    const path = join(inputs, 'LIG.smi');
    expect(withCompoundFile(argv, file, inputs)).toEqual(['phenix.elbow', `--smiles=${path}`, '--id=LIG']);
    expect(readFileSync(path, 'utf8')).toBe('CC(=O)O\n');
    expect(withCompoundFile(argv, undefined, inputs)).toBe(argv);
  });
});
