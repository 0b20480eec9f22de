import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { useFolder } from '@fleet/testing';
import { listOutputs } from './index';

const folder = useFolder();

const write = (...names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'x');
  }
};

const listed = async (): Promise<readonly string[]> =>
  (await listOutputs(folder)).paths.map((path) => relative(folder, path));

it("lists the program's files, without those of the executor", async () => {
  write('refine_001.pdb', 'program.log', '.fleet/result.json', '.fleet/tmp/x.pdb');
  expect(await listed()).toEqual(['refine_001.pdb']);
});

it("includes a program's folders, but not its working folders", async () => {
  write('a.pdb', 'AutoBuild_run_1_/best.pdb', 'AutoBuild_run_1_/TEMP0/x.pdb', 'coot-backup/y.pdb', 'scratch/z.pdb');
  expect(await listed()).toEqual(['a.pdb', 'AutoBuild_run_1_/best.pdb']);
});

it('leaves out links among the outputs, and their targets', async () => {
  write('a.pdb');
  symlinkSync('/etc/passwd', join(folder, 'link.pdb'));
  symlinkSync('/etc', join(folder, 'etc'));
  expect(await listed()).toEqual(['a.pdb']);
});

it('lists 500 files and reports that there are more', async () => {
  write(...Array.from({ length: 501 }, (_, i) => `f${i}`));
  const { paths, leftOut, truncated } = await listOutputs(folder);
  expect([paths.length, leftOut, truncated]).toEqual([500, 1, false]);
});
