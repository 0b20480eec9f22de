import type { JsonValue } from '@fleet/contracts/sessions';
import { buildTransport, type DecideResponse } from '@fleet/decision-api';
import { projectRules } from '@fleet/testing';
import { decisionApiOf } from '../../apps/gateway/src/routes/decisions/decision-api-of';

type Part = Readonly<Record<string, JsonValue>>;

const ruleBook = projectRules();
const api = decisionApiOf(ruleBook);
const transport = buildTransport(ruleBook.transport);

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, value: JsonValue = 1): Part =>
  Object.fromEntries(many(count, (index) => [`k${index}`, value]));
const refined = (change: Part): Part => ({
  program: 'phenix.refine',
  command: 'phenix.refine /d/data.mtz',
  result: 'SUCCESS',
  ...change,
});
const request = (change: Part): Part => ({
  api_version: '2.0',
  files: ['/d/data.mtz', '/d/seq.fa'],
  cycle_number: 3,
  ...change,
});
const ask = (change: Part): Promise<DecideResponse> => api.answer(request(change));
const state = (change: Part): Part => ({ session_state: change });
const recovery = (change: Part): Part => ({ recovery_strategies: { '/d/data.mtz': { flags: {}, ...change } } });
const pdbs = (count: number): string[] => many(count, (index) => `/d/${index}.pdb`);
const letters = many(501, () => 'a');

describe('a v2 request with too many entries', () => {
  it.each<[string, string, Part]>([
    ['files', 'at most 5000', { files: many(5001, (n) => `/d/${n}.mtz`) }],
    ['files[0]', 'each name in it at most 255', { files: [`/d/${'a'.repeat(300)}.mtz`] }],
    ['request', 'at most 1000', named(1001)],
    ['history', 'at most 1000', { history: many(1001, () => refined({})) }],
    ['history[0].output_files', 'at most 1000', { history: [refined({ output_files: pdbs(1001) })] }],
    ['history[].output_files', 'at most 10000', { history: many(20, () => refined({ output_files: pdbs(1000) })) }],
    ['history[0].analysis', 'at most 500', { history: [refined({ analysis: named(501) })] }],
    ['history[0].command', 'at most 10000', { history: [refined({ command: 'a '.repeat(6000) })] }],
  ])('is refused by the name of its list: %s, %s', async (field, allowed, change) => {
    await isRefused(field, allowed, change);
  });

  it.each<[string, string, Part]>([
    ['best_files', 'at most 500', { best_files: named(60_000, '/d/a.pdb') }],
    ['best_files.model', 'at most 1000', { best_files: { model: pdbs(1001) } }],
    ['best_files', 'at most 5000', { best_files: named(6, pdbs(999)) }],
    ['mtz_rfree_map', 'at most 5000', { mtz_rfree_map: named(5001, true) }],
    ['recovery_strategies', 'at most 1000', { recovery_strategies: named(1001, {}) }],
    ['recovery_strategies./d/data.mtz.flags', 'at most 500', recovery({ flags: named(501) })],
    ['recovery_strategies./d/data.mtz.program_scope', 'at most 500', recovery({ program_scope: letters })],
    ['session_blocked_programs', 'at most 500', { session_blocked_programs: letters }],
    ['bad_inject_params.phenix.refine', 'at most 500', { bad_inject_params: { 'phenix.refine': letters } }],
    [
      'directives.file_preferences.exclude',
      'at most 500',
      { directives: { file_preferences: { exclude: pdbs(501) } } },
    ],
  ])('is refused by the name of its list in the state of the session: %s, %s', async (field, allowed, change) => {
    await isRefused(`session_state.${field}`, allowed, state(change));
  });

  const isRefused = async (field: string, allowed: string, change: Part): Promise<void> => {
    const { error, problems } = await ask(change);
    expect(problems).toEqual([expect.objectContaining({ field })]);
    expect(problems[0]?.allowed).toContain(allowed);
    expect(error).toContain(field);
  };

  it('gets a hundred problems and the number of further ones', async () => {
    const { problems } = await ask({ files: many(4000, () => 7) });
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toEqual({ field: 'request', reason: '3900 more problems' });
  });

  it('is refused with unbounded nesting, encoded or not', async () => {
    const deep = `{"api_version":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const encoded = deep.replaceAll('{', 'ZZLBZZ').replaceAll('}', 'ZZRBZZ').replaceAll('"', 'ZZDQZZ');
    for (const answer of [
      await api.answer(JSON.parse(deep)),
      transport.decode((await api.answerEncoded(encoded)).encoded),
    ])
      expect(answer).toMatchObject({ error: expect.stringContaining('nested too deeply') as string });
  });

  it('is answered at every limit', async () => {
    const { error, decision } = await ask({
      files: many(5000, (n) => `/d/f${n}.pdb`).with(0, '/d/data.mtz'),
      history: many(1000, (n) => refined({ cycle: n + 1, output_files: many(10, (m) => `/d/o${n}_${m}.pdb`) })),
      ...state({ mtz_rfree_map: named(5000, true), best_files: { model: many(1000, (n) => `/d/o${n}_0.pdb`) } }),
    });
    expect(error).toBeNull();
    expect(decision.program).not.toBe('');
  }, 60_000);
});

describe('nested markers', () => {
  const nested = 'ZZC'.repeat(100_000) + 'ZZCRZZ' + 'RZZ'.repeat(100_000);

  it('are dropped from a text of any length', () => {
    expect(transport.cleanRequest({ user_advice: `a${nested}b` })).toEqual({ user_advice: 'ab' });
  });

  it('in the name of a field are an ignored field', async () => {
    const { encoded, failed } = await api.answerEncoded(
      transport.encode(request({ [nested]: 1, [`${nested}x`]: 'y' })),
    );
    expect(failed).toBe(false);
    const { debug } = transport.decode(encoded) as unknown as DecideResponse;
    expect(debug.log).toContain('REQUEST: ignored field ');
  });

  it('in the name of a member are no member of the rules', () => {
    const document = { constructor: 'x', toString: 'y', 'history[].command': 'z'.repeat(5000) };
    expect(transport.cleanRequest(document)).toEqual(document);
  });
});

describe('models with many derivation paths', () => {
  it('are judged once each', async () => {
    const models = (cycle: number): string[] => many(30, (n) => `/d/o${cycle}_${n}_with_ligand.pdb`);
    const history = many(60, (n) =>
      refined({ cycle: n + 1, command: ['phenix.refine', ...models(n - 1)].join(' '), output_files: models(n) }),
    );
    expect((await ask({ history })).error).toBeNull();
  }, 60_000);
});

/** Microseconds of CPU of the cheapest of three: what else the machine does only adds to it. */
const cost = async (change: Part): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = process.threadCpuUsage();
    expect((await ask(change)).error).toBeNull();
    const { user, system } = process.threadCpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
};

describe('the time of a decision grows as its request does', () => {
  it.each<[string, (size: number) => Part]>([
    ['maps', (n) => ({ files: many(n, (i) => `/d/f${i}x.map`) })],
    ['half maps', (n) => ({ files: many(n, (i) => `/d/half_f${i}x.map`) })],
    ['submitted models', (n) => ({ files: many(n, (i) => `/d/f${i}.pdb`) })],
    [
      'flags that name no file',
      (n) => ({
        files: many(n, (i) => `/d/f${i}.mtz`),
        ...state({ mtz_rfree_map: Object.fromEntries(many(n, (i) => [`z${i}.mtz`, true])) }),
      }),
    ],
    [
      'best files that are not files',
      (n) => ({
        files: many(n, (i) => `/d/f${i}.pdb`),
        ...state({ best_files: Object.fromEntries(many(5, (j) => [`k${j}`, many(n / 5, (i) => `z${i}.pdb`)])) }),
      }),
    ],
    [
      'outputs of cycles that used each other',
      (n) => ({
        history: many(n / 50, (c) =>
          refined({
            cycle: c + 1,
            command: ['phenix.refine', ...many(50, (i) => `/d/o${c - 1}_${i}_liganded.pdb`)].join(' '),
            output_files: many(50, (i) => `/d/o${c}_${i}_liganded.pdb`),
          }),
        ),
      }),
    ],
  ])(
    '%s',
    async (_what, make) => {
      await cost(make(500));
      const [some, all] = [await cost(make(1000)), await cost(make(5000))];
      // Five times the entries: five times the time, 25 times where it is quadratic.
      expect(all / some).toBeLessThan(12);
    },
    120_000,
  );
});
