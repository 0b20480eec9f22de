// Needs files as people bring them, each folder with its requests: PHENIX_FLEET_TEST_CASES.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DecideResponse } from '@fleet/decision-api';
import { offlineDecisions } from '../../apps/cli/src/decide/offline-decisions';
import { inspector } from '../support/inspector';

const casesFolder = (): string => {
  const folder = process.env['PHENIX_FLEET_TEST_CASES'];
  if (folder === undefined || folder === '') throw new Error('PHENIX_FLEET_TEST_CASES is not set');
  return folder;
};

const engine = offlineDecisions();

const decide = async (
  request: string,
  folder = join(casesFolder(), request.split('/')[0] ?? ''),
): Promise<DecideResponse> => {
  const text = readFileSync(join(casesFolder(), `${request}.json`), 'utf8').replaceAll('{DIR}', folder);
  const document: unknown = JSON.parse(text);
  return engine.api.answer(document, await engine.readFactsOf(document));
};

/** The command without folders, and what is said of each submitted file. */
const outcomeOf = async (request: string, folder?: string) => {
  const { decision, metadata, abort_message } = await decide(request, folder);
  const command = decision.argv.map((word) => word.replace(/[^=]*\/(?=[^/]*$)/, '')).join(' ');
  const files = Object.fromEntries(
    metadata.files.map(({ path, used, text, notes = [] }) => [
      basename(path),
      `${used ? 'used' : 'not used'}: ${[text, ...notes].join(' ')}`,
    ]),
  );
  return { command, files, abort: abort_message };
};

it.each<[string, RegExp, RegExp | undefined]>([
  // A mask is never refined against nor judged by.
  ['01-emdb-mask/request-first', /^phenix\.mtriage half_map=\S+_1\.map half_map=\S+_2\.map$/, undefined],
  ['01-emdb-mask/request-after-mtriage', /half_map_1/, /msk/],
  ['01-emdb-mask/request-refine', /half_map_1/, /msk/],
  // A column with one value is not a measurement.
  ['03-dummy-F/request-first', /xtriage .*obs_labels=IMEAN,SIGIMEAN$/, undefined],
  ['03-dummy-F/request-refine', /refine .*labels\.name=IMEAN,SIGIMEAN/, /unique/],
  ['03-dummy-F-2/request-refine', /refine .*labels\.name=F,SIGF/, /unique/],
  // Flags of a file of their own.
  ['05-free-flags-apart/request-refine', /r_free_flags\.file_name=freeR\.mtz .*label=FREER/, /generate/],
  // Merged data in any order.
  ['06-unmerged/request-first', /xtriage merged\.mtz/, /scaled/],
  ['06-unmerged/request-other-order', /xtriage merged\.mtz/, /scaled/],
  ['06-unmerged/request-refine', /refine gamma_model\.pdb merged\.mtz/, /scaled/],
  ['06-unmerged/request-alone', /xtriage scaled\.mtz/, undefined],
  // The first block with observations.
  ['08-several-blocks/request-first', /obs_labels=r1xyzsf,_refln\.F_meas_au/, undefined],
  ['08-several-blocks/request-refine', /^phenix\.refine 1xyz\.pdb r1xyzsf\.ent .*r1xyzsf,_refln\.F_meas_au/, undefined],
  // The dictionary of ~LU, which is A1LU6, and no ligand fitted again.
  ['09-tilde-ligand/request-refine', /^phenix\.refine 9bn8_refined\.pdb 9bn8\.mtz A1LU6\.cif/, undefined],
  ['09-tilde-ligand/request-after-refine', /A1LU6\.cif/, /ligandfit/],
  ['10-unquoted-space-group/request-after-no-solution-as-it-is', /phaser .*sgalternative\.select=all/, undefined],
  ['10-unquoted-space-group/request-after-no-solution-quoted', /phaser .*sgalternative\.select=all/, undefined],
  // A prediction is processed before it is searched with.
  ['12-per-atom-plddt/request-search', /^phenix\.process_predicted_model pred\.model_idx_0\.pdb/, undefined],
  ['12-per-atom-plddt/request-after-probe', /^phenix\.process_predicted_model pred\.model_idx_0\.pdb/, undefined],
  // The first solution counts.
  ['13-phaser-several-solutions/request-both-hands', /^phenix\.refine PHASER\.1\.pdb data\.mtz/, undefined],
  ['15-two-free-sets/request-refine', /r_free_flags\.label=FreeR_flag/, /generate/],
  ['15-two-free-sets/request-after-failure', /^phenix\.refine .*r_free_flags\.label=FreeR_flag/, undefined],
  ['17-xds-ascii/request-first', /^phenix\.xtriage XDS_ASCII\.HKL/, undefined],
])('%s: the command is %s', async (request, expected, forbidden) => {
  const { command } = await outcomeOf(request);
  expect(command).toMatch(expected);
  if (forbidden !== undefined) expect(command).not.toMatch(forbidden);
});

it.each<[string, string, RegExp]>([
  ['01-emdb-mask/request-first', 'emd_32377_msk_1.map', /^not used: .*mask/],
  ['05-free-flags-apart/request-first', 'freeR.mtz', /^used: as R-free flags by refine/],
  [
    '06-unmerged/request-other-order',
    'scaled.mtz',
    /^not used: merged\.mtz is used as data instead: merged data come before/,
  ],
  ['08-several-blocks/request-first', 'r1xyzsf.ent', /^used: .*Not used: r1xyzAsf/],
  ['15-two-free-sets/request-first', 'b2x01.mtz', /Used: FreeR_flag\./],
  ['16-compressed/request-first', 'emd_17257.map.gz', /^not used: .*compressed \(gzip\): unpack it/],
  ['17-xds-ascii/request-first', 'XDS_ASCII.HKL', /^used: .*unmerged/],
])('%s: the outcome of %s is reported', async (request, file, expected) => {
  expect((await outcomeOf(request)).files[file]).toMatch(expected);
});

it('a session of compressed files alone does not begin', async () => {
  expect((await outcomeOf('16-compressed/request-first')).abort).toMatch(/\S/);
});

it.each(['request-refine', 'request-after-refine'])(
  '09-tilde-ligand/%s without HETNAM records: the component is not known, and not misread as another one',
  async (request) => {
    const folder = mkdtempSync(join(tmpdir(), 'tilde-'));
    cpSync(join(casesFolder(), '09-tilde-ligand'), folder, { recursive: true });
    for (const model of readdirSync(folder).filter((name) => name.endsWith('.pdb'))) {
      const path = join(folder, model);
      const text = readFileSync(path, 'utf8');
      rmSync(path);
      writeFileSync(path, text.replace(/^HETNAM.*\n/gm, ''));
    }
    const { command, files } = await outcomeOf(`09-tilde-ligand/${request}`, folder);
    rmSync(folder, { recursive: true });
    expect(command).not.toMatch(/ligandfit|elbow|LU\b/);
    expect(files['9bn8_refined.pdb']).toMatch(/not given in full by HETNAM records .*: ~LU\. Which components/);
  },
);

const facts = async (file: string) => (await inspector.inspect(join(casesFolder(), file), { cycle: 0 })).facts;

it.each(['a_pymol.cif', 'b_revisions_crlf.cif', 'c_comments_in_loop.cif', 'd_af3_server.cif'])(
  '21-odd-but-legal/%s is a model',
  async (file) => {
    expect((await facts(`21-odd-but-legal/${file}`)).format).toBe('mmcif-model');
  },
);

it('21-odd-but-legal: all chains are read, maps and dictionaries as well', async () => {
  expect((await facts('21-odd-but-legal/c_comments_in_loop.cif')).model).toMatchObject({
    atoms: 300,
    chains: ['A', 'B'],
  });
  expect((await facts('21-odd-but-legal/e_map_nul_label.mrc')).map?.grid).toEqual([12, 14, 16]);
  expect((await facts('21-odd-but-legal/e_map_zyx.ccp4')).map?.grid).toEqual([16, 14, 12]);
  expect((await facts('21-odd-but-legal/h_empty_loop.cif')).restraints?.codes).toEqual(['FES', 'MA6']);
});

it('22-sequence-files: all are sequences', async () => {
  const names = readdirSync(join(casesFolder(), '22-sequence-files'));
  const found = await Promise.all(names.map((name) => facts(`22-sequence-files/${name}`)));
  expect(found.map(({ format }) => format)).toEqual(names.map(() => 'sequence'));
  expect((await facts('22-sequence-files/complex_colabfold.fasta')).sequence).toMatchObject({
    chains: 2,
    residues: 110,
  });
});
