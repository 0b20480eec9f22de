import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  aGuidance,
  dataFile,
  dictionaryFile,
  mapFile,
  mapRefinements,
  modelFile,
  refinements,
  sequenceFile,
  unrefined,
  usualRuns,
  walkBench,
} from '@fleet/testing';
import type { Chooser } from './index';
import { replayer } from './replay-session';

const bench = walkBench({ installed: 'open', runs: { ...usualRuns, model_vs_data: unrefined } });

/** The session as read from the store. */
const stored = (session: Session): Session => JSON.parse(JSON.stringify(session)) as Session;

/** The session after its end. */
const ended = ({ session, stop }: Awaited<ReturnType<typeof bench.walk>>): Session =>
  stored({ ...session, status: 'completed', stop });

const replayed = (session: Session, ruleBook: RuleBook = bench.ruleBook) =>
  replayer(ruleBook)(session, bench.catalogue);

const ligand = [dataFile(), modelFile(), sequenceFile(), dictionaryFile('NUT')];
const ligandRuns = {
  ligandfit: [
    {
      metrics: { ligand_cc: 0.8 },
      outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })],
    },
  ],
  pdbtools: [{ outputs: [modelFile('/work/m/refine_001_001_with_ligand.pdb', { ligandCodes: ['NUT'] })] }],
  refine: refinements(0.293, 0.237),
};

/** A copy of the knowledge with one changed file. */
const changedKnowledge = async (file: string, from: string, to: string): Promise<RuleBook> => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-'));
  try {
    await cp(join(__dirname, '../../../../knowledge'), folder, { recursive: true });
    const text = await readFile(join(folder, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    await writeFile(join(folder, file), text.replace(from, to));
    return loadRuleBook(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const walks = {
  'a placed model': () => bench.walk([dataFile(), modelFile()]),
  'molecular replacement of a prediction': () =>
    bench.walk([dataFile(), modelFile('/data/AF-P12345.pdb', { predicted: true }), sequenceFile()]),
  'a ligand': () => bench.walk(ligand, ligandRuns),
  'a map with its half-maps': () =>
    bench.walk(
      [mapFile('/data/full_map.ccp4'), mapFile('/data/half_map_1.ccp4'), mapFile('/data/half_map_2.ccp4'), modelFile()],
      { real_space_refine: mapRefinements(0.7, 0.75, 0.751) },
    ),
  'a program that fails': () => bench.walk(ligand, { ...ligandRuns, polder: [{ fails: 'Sorry: no such selection' }] }),
  'a lost machine': () => bench.walk([dataFile(), modelFile()], { refine: [{ lost: true }] }),
  'data without a model': () => bench.walk([dataFile()]),
  'a model without data': () => bench.walk([modelFile()]),
};

describe('a session that is replayed under the same knowledge', () => {
  it.each(Object.entries(walks))('has no differences: %s', async (_, walk) => {
    const session = ended(await walk());
    const { cycles, counts } = await replayed(session);
    expect(cycles.filter(({ result }) => result !== 'same')).toEqual([]);
    expect(counts.same).toBe(session.cycles.length + 1);
  });

  it('uses the recorded choices of a model, with its values', async () => {
    const choose: Chooser = ({ menu, rejections }) => {
      const last = menu.offered.filter(({ program }) => !rejections.some((one) => one.program === program)).at(-1);
      if (last === undefined) return undefined;
      const strategy = last.program === 'phenix.refine' ? { cycles: 7 } : {};
      const planning = { prompt: 'plan 1', requests: 1, target: 'site', model: 'm', hash: 'h', strategy };
      return { program: last.program, reasoning: 'a test', strategy, planning };
    };
    const walked = await bench.walk(ligand, ligandRuns, { choose });
    expect(walked.session.cycles.some(({ decision }) => decision.argv.some((token) => token.includes('=7')))).toBe(
      true,
    );
    expect(walked.session.cycles.some(({ decision }) => decision.decidedBy === 'model')).toBe(true);
    const { cycles } = await replayed(ended(walked));
    expect(cycles.filter(({ result }) => result !== 'same')).toEqual([]);
  });

  it('uses the programs and files of its time, whatever exists today', async () => {
    const walked = await bench.walk([dataFile(), modelFile()]);
    const session = ended(walked);
    const none = { ...bench.catalogue, programs: [] };
    const { cycles } = await replayer(bench.ruleBook)(session, none);
    expect(cycles.slice(0, -1).every(({ result }) => result === 'same')).toBe(true);
    expect(session.cycles[0]?.decision.provenance).toMatchObject({
      release: '0.1.0',
      knowledge: bench.ruleBook.digest,
      unavailable: expect.arrayContaining(['phenix.autosol']) as readonly string[],
    });
  });
});

it('a decision names the image of its program', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const programs = bench.catalogue.programs.map((one) => ({ ...one, images: { cpu: digest } }));
  const { session } = await bench.walk([dataFile(), modelFile()], {}, { catalogue: { ...bench.catalogue, programs } });
  expect(session.cycles[0]?.decision.provenance?.image).toBe(digest);
});

describe('an incomplete record', () => {
  it('leaves decisions under earlier guidance undetermined', async () => {
    const session = ended(await bench.walk([dataFile(), modelFile()]));
    const { cycles } = await replayed({ ...session, guidance: aGuidance({ revision: 2 }) });
    expect(cycles[0]).toMatchObject({
      result: 'undetermined',
      reason: 'The decision followed revision 0 of the guidance; the record has revision 2 only.',
    });
  });

  it('is restored from the submission after one resume, and undetermined after more', async () => {
    const session = ended(await bench.walk([dataFile(), modelFile()]));
    const { settings, inputs } = session.request;
    const resumed = (submitted: typeof settings): Session => ({
      ...session,
      request: {
        ...session.request,
        settings: { ...settings, resolution: 3 },
        submittedAs: { settings: submitted, files: inputs.map(({ path }) => path) },
      },
    });
    const once = await replayed(resumed(settings));
    expect(once.cycles.slice(0, -1).map(({ result }) => result)).toEqual(session.cycles.map(() => 'same'));
    const twice = await replayed(resumed({ ...settings, resolution: 2.5 }));
    expect(twice.cycles.slice(0, -1).map(({ result }) => result)).toEqual(session.cycles.map(() => 'undetermined'));
  });

  it('ignores the cycles that a fork copied', async () => {
    const session = ended(await bench.walk([dataFile(), modelFile()]));
    const forkedFrom = { session: '01jd7v9s6m2x4k8q0w5c3b1n7r', afterCycle: 1, requestDigest: 'a' };
    const { cycles } = await replayed({ ...session, request: { ...session.request, forkedFrom } });
    expect(cycles.map(({ result }) => result)).toEqual(['undetermined', ...session.cycles.map(() => 'same')]);
  });

  it("is replayable for older releases, as far as today's knowledge allows", async () => {
    const session = ended(await bench.walk([dataFile(), modelFile()]));
    const cycles = session.cycles.map(({ decision, ...record }) => {
      const { provenance, ...older } = decision;
      expect(provenance).toBeDefined();
      return { ...record, decision: older };
    });
    const { counts } = await replayed({ ...session, cycles });
    expect(counts).toEqual({ same: session.cycles.length + 1, differs: 0, undetermined: 0 });
  });
});

describe('a changed rule', () => {
  /** R-free of the submitted models; above 0.50, and with the changed rule from 0.46, a model counts as not placed. */
  const quality = [0.3, 0.41, 0.45, 0.455, 0.46, 0.47, 0.485, 0.499, 0.52];
  const submitted = (r_free: number) =>
    bench.walk([dataFile(), modelFile()], { model_vs_data: [{ metrics: { r_free, r_work: r_free - 0.03 } }] });
  const stricter = () =>
    changedKnowledge(
      'workflows/xray.yaml',
      'model_vs_data.r_free, at_least: 0.50',
      'model_vs_data.r_free, at_least: 0.46',
    );

  it('is found in exactly the sessions that it affects, and changes nothing in them', async () => {
    const sessions = await Promise.all(quality.map(async (value) => ended(await submitted(value))));
    const before = sessions.map(stored);
    const ruleBook = await stricter();
    expect(ruleBook.digest).not.toBe(bench.ruleBook.digest);
    const replays = await Promise.all(sessions.map((session) => replayed(session, ruleBook)));
    const affected = quality.filter((_, index) => (replays[index]?.counts.differs ?? 0) > 0);
    expect(affected).toEqual([0.46, 0.47, 0.485, 0.499]);
    expect(sessions).toEqual(before);
  });

  it('reports which rule differs first, what would run instead, and why', async () => {
    const { cycles } = await replayed(ended(await submitted(0.47)), await stricter());
    expect(cycles.find(({ result }) => result === 'differs')).toMatchObject({
      recorded: { program: 'phenix.refine' },
      replayed: { program: 'phenix.phaser', detail: expect.stringContaining('phenix.phaser ') as string },
      rule: 'xray detection not-placed',
      reason: expect.stringContaining('Was step first_refine.') as string,
    });
  });

  it('of a parameter names the parameter', async () => {
    const ruleBook = await changedKnowledge('programs/refine.yaml', 'run_label: refine', 'run_label: refined');
    const { cycles } = await replayed(ended(await submitted(0.3)), ruleBook);
    expect(cycles.filter(({ result }) => result === 'differs')[0]?.rule).toBe('phenix.refine parameter output_prefix');
  });

  it('that excludes a program differs where it ran, and leaves later decisions undetermined', async () => {
    const { programs, ...rest } = bench.ruleBook;
    const { 'phenix.model_vs_data': _, ...left } = programs;
    const { cycles } = await replayed(ended(await submitted(0.3)), { ...rest, programs: left });
    const at = cycles.findIndex(({ recorded }) => recorded.program === 'phenix.model_vs_data');
    expect(cycles[at]?.result).toBe('differs');
    expect(new Set(cycles.slice(at + 1).map(({ reason }) => reason))).toEqual(
      new Set(['The knowledge does not describe phenix.model_vs_data.']),
    );
  });

  it('of a stop ends a session sooner or later', async () => {
    const session = ended(await submitted(0.3));
    expect(session.stop?.reason).toBe('converged');
    const { cycles } = await replayed({ ...session, stop: { ...session.stop!, reason: 'plateau' } });
    expect(cycles.at(-1)).toMatchObject({
      cycle: session.cycles.length + 1,
      result: 'differs',
      recorded: { program: 'STOP' },
      rule: 'xray stop converged',
    });
  });
});
