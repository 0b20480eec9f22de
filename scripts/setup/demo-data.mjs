// Real demo data: the tutorial sets inside the npm package moorhen, fetched pinned and checked, kept in the cache.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from './commands.mjs';
import { movedModel } from './move-model.mjs';
import { cacheRoot } from './paths.mjs';
import { SetupProblem, step } from './progress.mjs';

const source = {
  name: 'moorhen',
  version: '0.22.7',
  sha512: 'WAM2Y1e2pArKOMRddH5zk4uN4YAoGGVyZhg9TRDqcKPG3mrVusF0o1YeAnZWe22FHCyAIcIbBm+SIDQUivnI5w==',
  folder: 'package/public/baby-gru/tutorials',
};

const inTutorials = (name) => path.join(cacheRoot, `${source.name}-${source.version}`, name);

/** Structures that can be solved without files of the user's own. */
export const datasets = {
  nutlin: {
    title: 'MDM2 with nutlin-3a (PDB 4HG7): model without its ligand, ligand dictionary, 1.60 Å',
    files: () => ({
      'data.mtz': { copy: inTutorials('moorhen-tutorial-map-number-2.mtz') },
      'model.pdb': { copy: inTutorials('moorhen-tutorial-structure-number-2.pdb') },
      'NUT.cif': { copy: inTutorials('NUT.cif') },
    }),
  },
  lysozyme: {
    title: 'Lysozyme, 1.76 Å: the model is turned and moved away first, it has to be found again',
    files: () => ({
      'data.mtz': { copy: inTutorials('moorhen-tutorial-map-number-3.mtz') },
      'moved_model.pdb': {
        text: () => movedModel(fs.readFileSync(inTutorials('moorhen-tutorial-structure-number-3.pdb'), 'latin1')),
      },
    }),
  },
};

function check(archive) {
  const found = createHash('sha512').update(fs.readFileSync(archive)).digest('base64');
  if (found === source.sha512) return;
  fs.rmSync(archive);
  throw new SetupProblem(
    `${source.name} ${source.version} is not the package that was expected (sha512 ${found}).`,
    'Try again; if it stays, report it.',
  );
}

/** Fetches the tutorial sets into the cache, once. */
export async function fetchTutorials() {
  const target = path.dirname(inTutorials('x'));
  if (fs.existsSync(path.join(target, 'NUT.cif'))) return;
  await step(`demo data (${source.name} ${source.version}, 40 MB)`, async () => {
    fs.mkdirSync(cacheRoot, { recursive: true });
    const work = fs.mkdtempSync(path.join(cacheRoot, 'fetch-'));
    try {
      await run('npm', ['pack', '--silent', `${source.name}@${source.version}`], { cwd: work, what: 'npm pack' });
      const archive = path.join(work, `${source.name}-${source.version}.tgz`);
      check(archive);
      await run('tar', ['xzf', archive, '-C', work, source.folder], { what: 'tar' });
      fs.rmSync(target, { recursive: true, force: true });
      fs.renameSync(path.join(work, source.folder), target);
    } finally {
      fs.rmSync(work, { recursive: true, force: true });
    }
    return {};
  });
}

/** Lysozyme with its model already in the density. */
export async function placedLysozyme() {
  await fetchTutorials();
  return {
    data: inTutorials('moorhen-tutorial-map-number-3.mtz'),
    model: inTutorials('moorhen-tutorial-structure-number-3.pdb'),
  };
}

/** Copies a demo dataset into a folder and returns its files. */
export async function layOut(name, folder) {
  await fetchTutorials();
  fs.mkdirSync(folder, { recursive: true });
  const files = datasets[name].files();
  return Object.entries(files).map(([file, from]) => {
    const target = path.join(folder, file);
    if ('copy' in from) fs.copyFileSync(from.copy, target);
    else fs.writeFileSync(target, from.text(), 'latin1');
    return target;
  });
}
