import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { withCompoundFile } from './compound-file';

describe('a file with SMILES', () => {
  const folder = useFolder();

  it('is written beside the input copies, and its path replaces its name in the arguments', () => {
    const inputs = join(folder, 'inputs');
    const argv = ['phenix.elbow', '--smiles=LIG.smi', '--id=LIG'];
    const file = { argument: 1, flag: '--smiles', name: 'LIG.smi', smiles: 'CC(=O)O' };
    const path = join(inputs, 'LIG.smi');
    expect(withCompoundFile(argv, file, inputs)).toEqual(['phenix.elbow', `--smiles=${path}`, '--id=LIG']);
    expect(readFileSync(path, 'utf8')).toBe('CC(=O)O\n');
    expect(withCompoundFile(argv, undefined, inputs)).toBe(argv);
  });
});
