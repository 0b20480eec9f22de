import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SessionFile } from '@fleet/contracts/sessions';
import { aFile, projectRules, useFolder } from '@fleet/testing';
import { OutputCollector } from '../../apps/log-analysis-worker/src/analyse/output-collector';
import { outputRank } from '../../apps/log-analysis-worker/src/analyse/output-rank';

/** A program leaves very many files: the session finds the files that it needs, and reports the skipped ones. */

const folder = useFolder();
const ruleBook = projectRules();

const write = (...names: readonly string[]): void => {
  for (const name of names) writeFileSync(join(folder, name), 'x');
};

/** Classifies by name: the content of a file is irrelevant here. */
const inspect = (path: string): Promise<SessionFile> => {
  const format = path.endsWith('.pdb') ? 'pdb' : path.endsWith('.mtz') ? 'mtz' : 'text';
  return Promise.resolve(aFile({ path, facts: { format } }));
};

const collect = async (isUnwanted = (): Promise<boolean> => Promise.resolve(false)) => {
  const program = 'phenix.refine';
  const collected = await new OutputCollector({ inspect }).collect(folder, {
    origin: { cycle: 1, program },
    rank: outputRank(ruleBook, program),
    isUnwanted,
  });
  return { ...collected, names: collected.files.map(({ path }) => basename(path)) };
};

it('the refined model is found behind 1200 files that come before it by their names', async () => {
  write(...Array.from({ length: 600 }, (_, index) => `a${String(index).padStart(4, '0')}.pdb`));
  write(...Array.from({ length: 600 }, (_, index) => `b${String(index).padStart(4, '0')}.txt`));
  write('refine_001_001.pdb', 'refine_001_001.mtz', 'zz_report.mtz');
  const { names, leftOut } = await collect();
  expect(names).toEqual(expect.arrayContaining(['refine_001_001.pdb', 'refine_001_001.mtz', 'zz_report.mtz']));
  expect(leftOut).toContain(
    'phenix.refine left 1203 files. The 500 most useful by name are inspected; 703 are not in the record and stay in its folder.',
  );
});

it('prefers the newest models above the inspection limit', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `refine_001_${String(index).padStart(3, '0')}.pdb`);
  write(...names);
  for (const [index, name] of names.entries()) utimesSync(join(folder, name), 1_000_000 + index, 1_000_000 + index);
  const found = await collect();
  expect(found.names).toHaveLength(500);
  expect(found.names).toContain('refine_001_599.pdb');
  expect(found.names).not.toContain('refine_001_000.pdb');
});

it('also counts reports beyond the limit of a record', async () => {
  write(...Array.from({ length: 80 }, (_, index) => `report${index}.txt`));
  const { names, leftOut } = await collect();
  expect(names).toHaveLength(50);
  expect(leftOut).toEqual(['phenix.refine left 80 reports and other files; 30 of them are not in the record.']);
});

it('a folder that looks like a working folder is not entered, and a run within the limits has no message', async () => {
  mkdirSync(join(folder, 'TEMP0'));
  write('refine_001_001.pdb', 'TEMP0/x.pdb');
  expect(await collect()).toMatchObject({ names: ['refine_001_001.pdb'], leftOut: [], warnings: [] });
});

it('the inspection stops after a cancellation', async () => {
  write('refine_001_001.pdb');
  await expect(collect(() => Promise.resolve(true))).rejects.toMatchObject({ code: 'analyse.unwanted' });
});
