import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunInput } from '@fleet/contracts/runs';
import { useFolder } from '@fleet/testing';
import { withJoinedInputs } from './joined-inputs';

describe('sequences in several files', () => {
  const folder = useFolder();

  const input = (argument: number, content: string, joined?: string): RunInput => {
    const name = `${String(argument)}/seq${String(argument)}.fa`;
    mkdirSync(join(folder, String(argument)));
    writeFileSync(join(folder, name), content, { mode: 0o400 });
    return { path: `/data/${name}`, name, argument, flag: 'seq_file', ...(joined !== undefined && { joined }) };
  };
  const argv = ['phenix.autobuild', 'data=/i/d.mtz', 'seq_file=/i/2/seq2.fa', 'seq_file=/i/3/seq3.fa', 'nproc=1'];

  it.each([
    ['>A\nMKV\n', '>B\nGAVL', '>A\nMKV\n>B\nGAVL\n'],
    ['MKV\n', '\uFEFFGAVL\r\n', '>seq2.fa\nMKV\n>seq3.fa\nGAVL\n'],
    ['>P1;gamma\n\nMKV*\n', '>P1;beta\nits title\rGAVL\rLL*', '>gamma\nMKV\n>beta\nGAVL\nLL\n'],
  ])('joins %j and %j', (one, other, all) => {
    const inputs = [input(2, one, 'sequence'), input(3, other, 'sequence')];
    expect(withJoinedInputs(argv, inputs, folder)).toEqual([...argv.slice(0, 3), 'nproc=1']);
    expect(readFileSync(join(folder, '2/seq2.fa'), 'utf8')).toBe(all);
  });

  it('stay unchanged if the program accepts several, or there is only one', () => {
    expect(withJoinedInputs(argv, [input(2, 'MKV'), input(3, 'GAVL', 'sequence')], folder)).toBe(argv);
    expect(readFileSync(join(folder, '3/seq3.fa'), 'utf8')).toBe('GAVL');
  });
});
