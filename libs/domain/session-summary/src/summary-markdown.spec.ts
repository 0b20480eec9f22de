import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRuleBook } from '@fleet/knowledge-model';
import { adviceText, formatCycle, programTime } from '@fleet/session-report';
import {
  aCycle,
  aDecision,
  aFile,
  anAttempt,
  aRequest,
  aResult,
  aSession,
  dataFile,
  modelFile,
  sequenceFile,
  someSettings,
} from '@fleet/testing';
import { fileText, fitOf, summaryMarkdown } from './index';

const knowledgeFiles = readdirSync('knowledge', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(yaml|schema\.json)$/.test(name))
  .map((path) => ({ path, text: readFileSync(join('knowledge', path), 'utf8') }));
const ruleBook = parseRuleBook(knowledgeFiles);

const step = (cycle: number, program: string, seconds: number, metrics: Record<string, number | string | boolean>) =>
  aCycle({
    cycle,
    decision: aDecision({ program }),
    attempts: [anAttempt({ ending: { ...anAttempt().ending!, durationMs: seconds * 1000 } })],
    result: aResult({
      metrics,
      outputs: [aFile({ path: `/work/mx1/s/c00${cycle}/out.pdb`, cycle, program, facts: { format: 'pdb' } })],
    }),
  });

const session = aSession({
  id: 's',
  folder: '/work/mx1/s',
  status: 'completed',
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:02:00.000Z',
  request: aRequest({
    title: 'MDM2 | with *nutlin*',
    advice: 'place the ligand',
    settings: someSettings({ max_cycles: 7 }),
  }),
  cycles: [
    step(1, 'phenix.xtriage', 10, { resolution: 1.6, completeness: 99.1 }),
    step(2, 'phenix.refine', 60, { r_work: 0.29, r_free: 0.29 }),
    step(3, 'phenix.refine', 30, { r_work: 0.22, r_free: 0.237 }),
    step(4, 'phenix.molprobity', 20, { clashscore: 4.2 }),
  ],
  stop: { reason: 'converged', detail: 'R-free 0.237 is good enough.', afterCycle: 4 },
});

describe('the summary of a session', () => {
  const text = summaryMarkdown(session, ruleBook);

  it('has the sections of the agent, in their order', () => {
    const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      'Input',
      'Input data quality',
      'Workflow path',
      'Steps performed',
      'Final quality',
      'Output files',
      'Timing',
      'How it ended',
    ]);
  });

  it.each([
    ['the way', 'xtriage → refine ×2 → molprobity'],
    ['the key metric of a step', '| 3 | refine | ✓ | R-free: 0.2370 |'],
    ['the data', '| Completeness | 99.10 % |'],
    ['R-free with a word for this resolution', '| R-free | 0.2370 | acceptable | refine, cycle 3 |'],
    ['the clashscore by its own words', '| Clashscore | 4.20 | good | molprobity, cycle 4 |'],
    ['files below the folder of the session', '- `c003/out.pdb` (phenix.refine, cycle 3)'],
    ['the time of a program and its share', '| 2 | refine | 1 | 1 min 00 s | 50 % |'],
    [
      'the whole time',
      'Programs 2 min 00 s, the session from submission to its end 2 min 00 s (programs 100 % of it).',
    ],
    ['settings that differ from the default', '`max_cycles=7`'],
    ['advice', 'place the ligand'],
    ['the reason of its end', 'R-free 0.237 is good enough. (converged)'],
    ['a title that cannot break the page', '# MDM2 \\| with \\*nutlin\\*'],
  ])('contains %s', (_, part) => {
    expect(text).toContain(part);
  });

  it('contains the real end of a recovered session, whose record was rewritten', () => {
    const { attempts, result } = step(1, 'phenix.xtriage', 60, {});
    const cycle = aCycle({ attempts, result: { ...result!, analysedAt: '2026-11-21T08:04:00.000Z' } });
    const recovered = { ...session, updatedAt: session.createdAt, cycles: [cycle] };
    expect(summaryMarkdown(recovered, ruleBook)).toContain(
      'from submission to its end 4 min 00 s (programs 25 % of it)',
    );
  });

  it('names the origin of a fork, and counts only the time of its own programs', () => {
    const forkedFrom = { session: '01jd7v9s6m2x4k8q0w5c3b1n7r', afterCycle: 3, requestDigest: 'ab' };
    const forked = summaryMarkdown({ ...session, request: { ...session.request, forkedFrom } }, ruleBook);
    expect(forked).toContain('Forked from session 01jd7v9s6m2x4k8q0w5c3b1n7r, after cycle 3: ');
    expect(forked).toContain('Programs 20 s, the session from submission to its end 2 min 00 s (programs 17 % of it).');
    expect(text).not.toContain('Forked');
  });

  it('contains no end while a session continues', () => {
    const text = summaryMarkdown({ ...session, status: 'running' }, ruleBook);
    expect(text).toContain('the session since its submission 2 min 00 s');
    expect(text).not.toContain('to its end');
  });

  it('shows a name with backticks as code', () => {
    const inputs = ['/data/a`b.mtz', '/data/a``b.mtz', '/data/`'].map((path) => aFile({ path }));
    const text = summaryMarkdown({ ...session, request: aRequest({ inputs }) }, ruleBook);
    for (const code of ['`` /data/a`b.mtz ``', '``` /data/a``b.mtz ```', '`` /data/` ``'])
      expect(text).toContain(`| ${code} |`);
  });

  it('does not mention simulation if everything was real', () => {
    expect(text).not.toMatch(/simulated/i);
  });
});

it('uses R values of the last refinement and geometry of the validation, in any order', () => {
  const later = [
    ...session.cycles,
    step(5, 'phenix.polder', 20, { r_free: 0.19, r_work: 0.17, clashscore: 99 }),
    step(6, 'phenix.model_vs_data', 5, { r_free: 0.241, r_work: 0.221 }),
  ];
  const text = summaryMarkdown({ ...session, cycles: later }, ruleBook);
  expect(text).toContain('| R-free | 0.2370 | acceptable | refine, cycle 3 |');
  expect(text).toContain('| Clashscore | 4.20 | good | molprobity, cycle 4 |');
  const looked = summaryMarkdown({ ...session, cycles: later.slice(-1) }, ruleBook);
  expect(looked).toContain('cycle 6 |');
});

it('marks a simulated program at the top and in its step', () => {
  const simulated = aCycle({
    cycle: 2,
    decision: aDecision({ program: 'phenix.autosol' }),
    attempts: [anAttempt({ provider: 'simulated' })],
  });
  const text = summaryMarkdown({ ...session, cycles: [simulated] }, ruleBook);
  expect(text).toContain('> **SIMULATED**: cycle 2 (phenix.autosol)');
  expect(text).toMatch(/\| 2 \| autosol \|.*\*\*simulated\*\*/);
});

it('exists for a session that has hardly begun', () => {
  const text = summaryMarkdown(aSession({ request: aRequest({ beamline: '' }) }), ruleBook);
  expect(text).toMatch(/^- Proposal \S+, submitted by /m);
  expect(text).toContain('Nothing was run.');
  expect(text).toContain('The session is running.');
});

it('contains the results of one cycle: the best model with its own map and metrics', () => {
  const refined = (cycle: number, metrics: Record<string, number>) => {
    const model = modelFile(`/work/mx1/s/c00${cycle}/refine_00${cycle}_001.pdb`);
    const map = dataFile(
      { observations: [], mapCoefficients: ['FWT,PHWT'] },
      `/work/mx1/s/c00${cycle}/refine_00${cycle}_001.mtz`,
    );
    const outputs = [model, map].map((file) => ({ ...file, cycle, program: 'phenix.refine' }));
    return { ...step(cycle, 'phenix.refine', 1, metrics), result: aResult({ metrics, outputs }) };
  };
  const validation = step(7, 'phenix.molprobity', 1, { clashscore: 3 });
  const judged = { ...validation.decision, inputs: [{ slot: 'model', path: '/work/mx1/s/c005/refine_005_001.pdb' }] };
  const cycles = [
    step(1, 'phenix.xtriage', 1, { twin_fraction: 0.02 }),
    refined(5, { r_free: 0.24, r_work: 0.2 }),
    refined(6, { r_free: 0.29, r_work: 0.21, bonds_rmsd: 0.03 }),
    { ...validation, decision: judged },
  ];
  const text = summaryMarkdown({ ...session, cycles }, ruleBook);
  expect(text).toContain('Of the best model, `c005/refine_005_001.pdb` (phenix.refine, cycle 5).');
  expect(text).toContain('| R-free | 0.2400 |');
  expect(text).toMatch(/\| Clashscore \| 3\.00 \| good \| molprobity, cycle 7 \|/);
  expect(text).toMatch(/\| Twin fraction \| 0\.020 /);
  expect(text).not.toContain('RMS(bonds)');
  expect(text).toContain('- `c005/refine_005_001.pdb` (phenix.refine, cycle 5), the best model');
  expect(text).toContain('- `c005/refine_005_001.mtz` (phenix.refine, cycle 5), its map');
});

it('shows the model without a ligand without evidence, its metrics, and the files beside it', () => {
  const walked = (omit: number): string => {
    const merged = step(5, 'phenix.pdbtools', 1, {});
    const from = (path: string) => [{ slot: 'model', path }];
    const cycles = [
      step(2, 'phenix.refine', 60, { r_work: 0.22, r_free: 0.25 }),
      step(4, 'phenix.ligandfit', 20, { ligand_cc: 0.72 }),
      merged,
      {
        ...step(6, 'phenix.refine', 60, { r_work: 0.21, r_free: 0.248 }),
        decision: aDecision({ program: 'phenix.refine', inputs: from('/work/mx1/s/c005/out.pdb') }),
      },
      {
        ...step(7, 'phenix.polder', 20, { cc_1_2: 0.5, cc_1_3: omit, cc_2_3: 0.5 }),
        decision: aDecision({ program: 'phenix.polder', inputs: from('/work/mx1/s/c006/out.pdb') }),
      },
    ];
    return summaryMarkdown({ ...session, cycles }, ruleBook);
  };
  const refuted = walked(0.76);
  expect(refuted).toContain('| R-free | 0.2500 |');
  expect(refuted).not.toContain('| Ligand CC |');
  expect(refuted).toMatch(/does not hold [^:]*: the omit \(polder\) map does not confirm it: CC\(1,3\) is 0\.76/);
  expect(refuted).toMatch(/Kept beside the result[^#]*c004\/out\.pdb[^#]*c006\/out\.pdb/);
  expect(refuted).toMatch(/In `\/work\/mx1\/s`:\n\n- `c002\/out\.pdb`/);
  const confirmed = walked(0.92);
  expect(confirmed).toContain('| R-free | 0.2480 |');
  expect(confirmed).toContain(': its correlation with the map is 0.72 and CC(1,3)');
  expect(confirmed).not.toContain('Kept beside');
});

describe('the exclusion of results', () => {
  const failed = (program: string) => ({ ...step(3, program, 1, {}), result: aResult({ outcome: 'failed' }) });
  const final = (cycles: Parameters<typeof aSession>[0] & object): string =>
    summaryMarkdown({ ...session, ...cycles }, ruleBook)
      .split('## Final quality')[1]
      ?.split('## Output')[0] ?? '';

  it.each([
    ['R-free of a probe', 'phenix.model_vs_data', { r_free: 0.58, r_work: 0.57 }, 'phenix.phaser'],
    ['R-work of data without a free set', 'phenix.model_vs_data', { r_work: 0.57 }, 'phenix.phaser'],
    ['the correlation of a model outside its map', 'phenix.map_correlations', { cc_mask: 0.02 }, 'phenix.dock_in_map'],
  ])('applies to %s after a failed search', (_, probe, metrics, search) => {
    const cycles = [step(1, 'phenix.xtriage', 1, { resolution: 1.6 }), step(2, probe, 1, metrics), failed(search)];
    expect(final({ cycles })).toContain('Nothing was measured.');
    expect(fitOf({ ...session, cycles }, ruleBook)).toBeUndefined();
  });

  it('does not apply to the measurement of a placed submitted model', () => {
    const cycles = [step(2, 'phenix.model_vs_data', 1, { r_free: 0.25, r_work: 0.22 }), failed('phenix.refine')];
    expect(final({ cycles })).toContain('| R-free | 0.2500 |');
  });
});

describe('the metric of a session', () => {
  it('is R-free of the best refinement, with the resolution of the data', () => {
    expect(fitOf(session, ruleBook)).toEqual({
      metric: 'r_free',
      value: 0.237,
      resolution: 1.6,
      rWork: 0.22,
      quality: 'acceptable',
    });
  });

  it.each([
    [0.26, undefined, 'better'],
    [0.22, undefined, 'worse'],
    [0.237, 'better', 'better'],
    [0.237, undefined, undefined],
  ] as const)('contains the trend from %d, which went %s itself', (value, before, trend) => {
    const fit = { metric: 'r_free', value, ...(before !== undefined && { trend: before }) };
    const [first, ...others] = session.cycles;
    const measured = { ...first!, result: { ...first!.result!, fit } };
    expect(fitOf({ ...session, cycles: [measured, ...others] }, ruleBook)?.trend).toBe(trend);
  });

  it.each([
    ['phenix.real_space_refine', { quality: 'good' }],
    ['phenix.mtriage', {}],
  ])('is the correlation with the map in cryo-EM, without a quality after only an analysis: %s', (program, quality) => {
    const run = step(2, program, 1, { map_cc: 0.83 });
    const cycle = { ...run, decision: { ...run.decision, experimentType: 'cryoem' as const } };
    expect(fitOf({ ...session, cycles: [cycle] }, ruleBook)).toEqual({ metric: 'map_cc', value: 0.83, ...quality });
  });

  it('is undefined before a measurement', () => {
    expect(fitOf(aSession(), ruleBook)).toBeUndefined();
  });
});

describe('a program that still runs', () => {
  const startedAt = '2026-11-21T08:00:00.000Z';
  const attempt = { attempt: 1, backend: 'local', provider: 'phenix', programVersion: '2.0', startedAt } as const;
  const cycle = { cycle: 1, decision: aDecision(), attempts: [attempt] };
  const now = Date.parse(startedAt) + 754_000;

  it('shows how long it has been running', () => {
    expect(programTime(cycle, now)).toBe(754_000);
    expect(formatCycle(cycle, {}, { folder: '', now })).toContain('  running    attempt 1, 2.0: for 12 min 34 s');
    const text = summaryMarkdown({ ...session, status: 'running', cycles: [cycle] }, ruleBook, now);
    expect(text).toContain('| 1 | refine | 1 | 12 min 34 s | 100 % |');
    expect(text).toContain('the session since its submission 12 min 34 s');
  });

  it('never shows a negative time if clocks differ', () => {
    expect(programTime(cycle, now - 900_000)).toBe(0);
  });
});

it('reports unread advice in a record of an older release', () => {
  expect(adviceText({ ...session, request: { ...session.request, advice: ' ' } })).toBe('none');
  expect(summaryMarkdown(session, ruleBook)).toContain(
    '- Advice: place the ligand (kept by an older release, which did not read it)',
  );
});

it('lists the content of a sequence and of an MTZ with map coefficients', () => {
  expect(fileText(sequenceFile())).toBe('sequence, 1 chain, 96 residues');
  const map = dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'], freeFlag: 'FREE' });
  expect(fileText(map)).toBe(
    '20000 reflections to 1.80 Å, map coefficients FWT,PHWT, no observations, free flags FREE',
  );
});

it('rates R-work like R-free at this resolution', () => {
  const words = (resolution: number, rFree: number, rWork: number): readonly string[] => {
    const cycles = [
      step(1, 'phenix.xtriage', 1, { resolution }),
      step(2, 'phenix.refine', 1, { r_free: rFree, r_work: rWork }),
    ];
    const text = summaryMarkdown({ ...session, cycles }, ruleBook);
    return [/\| R-free \| [\d.]+ \| ([a-z ]*) \|/, /\| R-work \| [\d.]+ \| ([a-z ]*) \|/].map(
      (pattern) => pattern.exec(text)?.[1] ?? '',
    );
  };
  expect(words(3.2, 0.276, 0.224)).toEqual(['good', 'good']);
  expect(words(3.2, 0.296, 0.234)).toEqual(['acceptable', 'acceptable']);
  expect(words(1.2, 0.21, 0.18)).toEqual(['acceptable', 'acceptable']);
  expect(words(1.2, 0.296, 0.234)).toEqual(['needs improvement', 'needs improvement']);
});
