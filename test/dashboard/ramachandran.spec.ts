import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { torsionsOf } from '../../apps/dashboard/src/pages/session/quality/ramachandran';
import { modelText } from '../../apps/dashboard/src/pages/session/scene/model-text';
import { testData } from '../e2e/standalone';

// @needs PHENIX_FLEET_TEST_DATA

/** As molprobity.ramalyze of cctbx-base 2025.11 calls them. */
const kinds = {
  General: 'general',
  Glycine: 'glycine',
  'Cis-proline': 'cisProline',
  'Trans-proline': 'transProline',
  'Pre-proline': 'preProline',
  'Isoleucine or valine': 'ileVal',
} as const;
const regions = { Favored: 'favoured', Allowed: 'allowed', OUTLIER: 'outlier' } as const;

/** ` A  10  GLY:46.96:57.61:-128.24:Favored:Glycine`, as `molprobity.ramalyze FILE outliers_only=False` printed it. */
const ramalyzed = (name: string) =>
  readFileSync(join(__dirname, 'ramalyze', `${name}.txt`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [residue = '', , phi, psi, region = '', kind = ''] = line.split(':');
      const [chain = '', number = '', code = ''] = residue.trim().split(/\s+/);
      return {
        name: `${code} ${chain} ${number}`,
        angles: [Number(phi), Number(psi)],
        region: regions[region as keyof typeof regions],
        kind: kinds[kind as keyof typeof kinds],
      };
    });

it.each([
  ['5a3h', '5a3h_bad_tutorial_start', [263, 15, 7]],
  ['rnase_sa', 'rnase_sa_tutorial_start', [180, 1, 2]],
])('classifies every residue of %s/%s like ramalyze', (folder, name, counts) => {
  const theirs = ramalyzed(name);
  const ours = torsionsOf(modelText(readFileSync(testData(folder, `${name}.pdb`), 'utf8'), 'pdb'));
  expect(ours.map((torsion) => [torsion.name, torsion.kind, torsion.region])).toEqual(
    theirs.map((torsion) => [torsion.name, torsion.kind, torsion.region]),
  );
  expect(
    (['favoured', 'allowed', 'outlier'] as const).map((one) => ours.filter(({ region }) => region === one).length),
  ).toEqual(counts);
  ours.forEach(({ phi, psi }, at) => {
    const angles = theirs[at]?.angles ?? [];
    [phi, psi].forEach((angle, which) => expect(Math.abs(angle - (angles[which] ?? NaN))).toBeLessThan(0.01));
  });
});
