import type { ResultMetric } from '@fleet/contracts/sessions';
import type { MetricDefinitions } from '@fleet/session-report';
import { aCycle, aDecision, aResult } from '@fleet/testing';
import { judged, ligandCycles } from './judged';
import { residueBs } from './residue-b';

const definitions = {
  r_free: {
    label: 'R-free',
    better: 'lower',
    decimals: 4,
    why: 'the fit; phenix-agent.md says so',
    bands: [
      { at: 1.75, good: 0.2, acceptable: 0.25, poor: 0.3 },
      { at: 3.25, good: 0.28, acceptable: 0.33, poor: 0.38 },
    ],
  },
  wilson_b: { label: 'Wilson B', better: 'neither', decimals: 1, why: 'of the data' },
  ligand_cc: { label: 'Ligand CC', better: 'higher', decimals: 3, why: 'of the ligand' },
} as MetricDefinitions;

const metric = (name: string, value: number): ResultMetric => ({ name, value, cycle: 6, program: 'phenix.refine' });

it('rates the metrics for which the knowledge has bands, at the resolution of the data', () => {
  const metrics = [metric('wilson_b', 20), metric('r_free', 0.2243)];
  const expected = {
    name: 'r_free',
    meaning: 'the fit',
    value: '0.2243',
    quality: 'acceptable',
    good: '≤ 0.2000',
    acceptable: '≤ 0.2500',
  };
  expect(judged(metrics, definitions, 1.6)).toEqual([expect.objectContaining(expected) as unknown]);
  expect(judged(metrics, definitions, 3.5).map(({ quality, good }) => [quality, good])).toEqual([['good', '≤ 0.2800']]);
  expect(judged(metrics, definitions, undefined).map(({ good }) => good)).toEqual(['≤ 0.2800']);
});

it("finds each cycle's measurements of a ligand", () => {
  const cycles = [
    aCycle({ cycle: 3, result: aResult({ metrics: { r_free: 0.3 } }) }),
    aCycle({
      cycle: 4,
      decision: aDecision({ program: 'phenix.ligandfit' }),
      result: aResult({ metrics: { ligand_cc: 0.902, wilson_b: 3 } }),
    }),
  ];
  expect(ligandCycles(cycles, definitions)).toEqual([
    { cycle: 4, program: 'phenix.ligandfit', metrics: [{ label: 'Ligand CC', text: '0.902' }] },
  ]);
});

it('averages the B of each residue, without hydrogens and waters', () => {
  const atom = (name: string, residue: string, b: string, element: string): string =>
    `ATOM      1  ${name.padEnd(3)} ${residue} A  18       1.000   2.000   3.000  1.00${b.padStart(6)}          ${element.padStart(2)}  `;
  const text = [
    atom('N', 'GLN', '10.00', 'N'),
    atom('CA', 'GLN', '30.00', 'C'),
    atom('H', 'GLN', '90.00', 'H'),
    atom('O', 'HOH', '50.00', 'O'),
    'TER',
  ].join('\n');
  expect(residueBs(text)).toEqual([{ name: 'GLN A 18', b: 20 }]);
});
