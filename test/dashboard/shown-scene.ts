import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { attemptFolder, cycleFolder } from '@fleet/contracts/runs';
import type { FileFacts, SessionFile } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  aFile,
  anAttempt,
  anEvent,
  anId,
  aNewSession,
  aRequest,
  aResult,
  someSettings,
} from '@fleet/testing';
import type { ShownBrowser } from './shown-browser';
import { hostile } from './shown-sessions';
import { inspector } from '../support/inspector';

/** What phenix.refine of the open programs made of PDB entry 4HG7 with its ligand; the map coefficients are cut to 2.6 Å. */
export const refined = {
  model: join(__dirname, 'nutlin/refine_002.pdb'),
  map: join(__dirname, 'nutlin/refine_002.mtz'),
} as const;

/** As that run measured it. */
const measured = {
  ...{ r_work: 0.1924, r_free: 0.2243, resolution: 1.6 },
  ...{ ligand_cc: 0.902, ligand_atoms: 40, atoms_in_density: 38, cc_1_3: 0.9432 },
  ...{ clashscore: 10.05, ramachandran_favored: 100, ramachandran_outliers: 0, bonds_rmsd: 0.011, angles_rmsd: 1.87 },
};

interface SceneOptions {
  readonly title: string;
  /** Files that its cycle made, as they are, or with what is said of them alone. */
  readonly files: readonly (string | { readonly name: string; readonly text: string; readonly facts: FileFacts })[];
  /** Files that it was given; without them reflections that are not there. */
  readonly submitted?: readonly string[];
  readonly simulated?: boolean;
  readonly experimentType?: 'xray' | 'cryoem';
}

/** Copies of these below the data folder, pinned as a submission does. */
const submittedFiles = async (
  { gateway }: ShownBrowser,
  id: string,
  submitted: readonly string[] | undefined,
): Promise<readonly SessionFile[]> => {
  if (submitted === undefined) return [aFile({ path: '/data/4hg7.mtz', facts: { format: 'mtz' } })];
  const root = join(gateway.root, 'data');
  mkdirSync(join(root, id));
  return Promise.all(
    submitted.map((file) => {
      const path = join(root, id, basename(file));
      copyFileSync(file, path);
      return inspector.inspect(path, { cycle: 0 }, root);
    }),
  );
};

/** A session whose one refinement made these files. @returns its id */
export const sceneSession = async (shown: ShownBrowser, options: SceneOptions): Promise<string> => {
  const id = anId();
  const { experimentType = 'xray' } = options;
  const folder = join(shown.gateway.root, 'work/mx1234', id);
  const program = experimentType === 'xray' ? 'phenix.refine' : 'phenix.real_space_refine';
  const attempt = join(folder, attemptFolder(cycleFolder(1, program), 1));
  mkdirSync(attempt, { recursive: true });
  const outputs: SessionFile[] = [];
  for (const made of options.files) {
    const name = typeof made === 'string' ? basename(made) : made.name;
    const path = join(attempt, name);
    if (typeof made === 'string') copyFileSync(made, path);
    else writeFileSync(path, made.text);
    const stated = typeof made === 'string' ? undefined : made.facts;
    const facts = stated ?? (await inspector.inspect(path, { cycle: 1, program })).facts;
    outputs.push(aFile({ path, size: statSync(path).size, cycle: 1, program, facts }));
  }
  const inputs = await submittedFiles(shown, id, options.submitted);
  const cycle = aCycle({
    cycle: 1,
    decision: aDecision({
      program,
      step: 'refine',
      experimentType,
      argv: [program, '/data/4hg7.pdb', '/data/4hg7.mtz'],
      inputs: inputs.map(({ path }) => ({ slot: 'data', path })),
    }),
    attempts: [anAttempt(options.simulated === true ? { provider: 'simulated' } : {})],
    result: aResult({ metrics: measured, outputs }),
  });
  const stop = { reason: 'converged', detail: 'R-free 0.2243 has reached the target 0.250.', afterCycle: 1 } as const;
  const request = aRequest({ title: options.title, proposal: 'mx1234', inputs, settings: someSettings() });
  const resume = { status: 'completed', stage: 'deciding', cycle: 1, attempt: 1, cycles: [cycle], stop } as const;
  await shown.store.records.create(
    aNewSession({ id, folder, request, resume }),
    [anEvent({ cycle: 0, message: 'submitted' })],
    3_600_000,
  );
  return id;
};

const atom = (serial: number, residue: string, x: number): string =>
  `HETATM${String(serial).padStart(5)}  C${String(serial)}  ${residue} <   1    ${x.toFixed(3).padStart(8)}   1.000   2.000  1.00 20.00           C`;

/** A model whose header and names would take over a page that carried them out. */
export const hostileModel = [
  `TITLE     ${hostile}`,
  `REMARK   3 ${hostile}`,
  atom(1, '<b>', 1),
  atom(2, '<b>', 2.4),
  'END',
].join('\n');
