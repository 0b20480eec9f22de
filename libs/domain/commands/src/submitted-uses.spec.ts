import type { FileFacts, FileUse, SessionFile } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  aFile,
  aRequest,
  aResult,
  aSession,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  projectRules,
  sequenceFile,
  unflaggedFile,
} from '@fleet/testing';
import { submittedUses, usesOfFiles } from './submitted-uses';

const ruleBook = projectRules();

const named = (file: SessionFile, name: string, facts: Partial<FileFacts> = {}): SessionFile => ({
  ...file,
  path: `/data/${name}`,
  facts: { ...file.facts, ...facts },
});
const map = (name: string, mask = false): SessionFile =>
  named(mapFile('x'), name, mask ? { map: { ...mapFile('x').facts.map!, mask } } : {});
const chain = (name: string, sequence: string): SessionFile =>
  named(sequenceFile(), name, { sequence: { chains: 1, residues: sequence.length, sequences: [sequence] } });
const bare = (name: string): SessionFile => named(unflaggedFile(), name);
const copy = (name: string): SessionFile => ({
  ...named(modelFile(), name),
  pin: { size: 9, modified: '2026-01-01T00:00:00Z', inode: '1', sha256: 'a'.repeat(64) },
});
const flags = (name: string): SessionFile => named(dataFile({ observations: [], freeFlag: 'FREER' }), name);

/** `name: text` for a used file, `name! text` for an unused one. */
const linesOf = (uses: readonly FileUse[]): readonly string[] =>
  uses.map(({ path, used, text }) => `${path.slice(6)}${used ? ':' : '!'} ${text}`);
const account = (...files: readonly SessionFile[]): string => linesOf(usesOfFiles(files, ruleBook)).join('\n');

describe('an unused submitted file has a reason', () => {
  it.each<[string, () => readonly SessionFile[], string]>([
    [
      'a mask',
      () => [map('m_1.map'), map('msk.map', true)],
      'msk.map! no cryo-EM program here uses a file classified as mask',
    ],
    [
      'unmerged data beside merged ones',
      () => [named(dataFile({ unmerged: true }), 'scaled.mtz'), dataFile()],
      'scaled.mtz! data.mtz is used as data instead: merged data come before unmerged data',
    ],
    [
      'an older file of a series',
      () => [dataFile(), modelFile('/data/refine_001.pdb'), modelFile('/data/refine_002.pdb')],
      'refine_001.pdb! refine_002.pdb is used as model instead: the highest number of a series is the newest',
    ],
    [
      'data without flags beside data with them',
      () => [bare('bare.mtz'), dataFile()],
      'bare.mtz! data.mtz is used as data instead: it has R-free flags',
    ],
    [
      'flags beside data with flags of their own',
      () => [dataFile(), flags('freeR.mtz')],
      'freeR.mtz! it holds only R-free flags: data.mtz has R-free flags of its own (FREE)',
    ],
    [
      'flags of another crystal',
      () => [bare('data.mtz'), named(flags('x'), 'freeR.mtz', { cell: [50, 50, 50, 90, 90, 90] })],
      'freeR.mtz! it holds only R-free flags: they do not belong to data.mtz, because the cells differ',
    ],
    [
      'a sequence that another file has',
      () => [dataFile(), chain('a.seq', 'MKV'), chain('copy.fa', 'MKV')],
      'copy.fa! all its chains are in a.seq',
    ],
    [
      'a second equal data set',
      () => [dataFile(), named(dataFile(), 'peak.mtz')],
      'peak.mtz! data.mtz is used as data instead: no rule prefers either, and the first one given counts',
    ],
    [
      'a copy of a model',
      () => [dataFile(), copy('model.pdb'), copy('again.pdb')],
      'again.pdb! model.pdb is used as model instead: the two have the same content',
    ],
    [
      'a lone half map beside a full map',
      () => [map('emd_1_half2.mrc'), map('emd_1.mrc')],
      'emd_1_half2.mrc! its other half is missing, and no program here uses one half map beside a full map',
    ],
    ['a map in an X-ray session', () => [dataFile(), map('masked_mask.map')], 'masked_mask.map! no X-ray program'],
    [
      'a text',
      () => [dataFile(), aFile({ path: '/data/a.txt', facts: { format: 'text' } })],
      'a.txt! its content is in no format that is known',
    ],
    [
      'a file without values',
      () => [dataFile(), named(flags('x'), 'empty.mtz', { mtz: { ...bare('x').facts.mtz!, observations: [] } })],
      'empty.mtz! it holds no observations, R-free flags or map coefficients',
    ],
    [
      'calculated structure factors alone',
      () => [named(flags('x'), 'fc.mtz', { mtz: { ...bare('x').facts.mtz!, observations: [] } })],
      'fc.mtz! it holds no observations',
    ],
    [
      'map coefficients in CIF',
      () => [
        dataFile(),
        named(flags('x'), 'm.cif', {
          format: 'mmcif-reflections',
          mtz: { ...bare('x').facts.mtz!, observations: [], mapCoefficients: ['FWT,PHWT'] },
        }),
      ],
      'm.cif! its map coefficients are in another format than MTZ',
    ],
    [
      'heavy-atom sites',
      () => [
        dataFile(),
        named(modelFile(), 'sites.pdb', { model: { ...modelFile().facts.model!, polymerResidues: 0 } }),
      ],
      'sites.pdb! it holds neither polymer nor ligand',
    ],
  ])('%s', (_what, files, expected) => {
    expect(account(...files())).toContain(expected);
  });
});

describe('a used submitted file has a use', () => {
  it('by the programs, the first ones named', () => {
    expect(account(dataFile(), modelFile(), dictionaryFile('NUT'))).toMatch(
      /^data\.mtz: as data by xtriage, .+\nmodel\.pdb: as model by .+\nNUT\.cif: as ligand by ligandfit$/,
    );
  });

  it('for all of several dictionaries and sequences', () => {
    const uses = account(
      dataFile(),
      modelFile(),
      ...['ABC', 'DEF'].map(dictionaryFile),
      chain('a.seq', 'MKV'),
      chain('b.seq', 'GAV'),
    );
    expect(uses).not.toContain('!');
    expect(uses).toContain('ABC.cif: as ligand by ligandfit, after DEF.cif\n');
  });

  it('with the rule if a search tries one model after another', () => {
    expect(account(dataFile(), modelFile('/data/a.pdb'), modelFile('/data/b.pdb'))).toContain(
      'b.pdb: as model by phaser if the search with a.pdb fails (a.pdb comes first: no rule prefers either',
    );
  });

  it('with notes', () => {
    const two = dataFile({
      freeFlag: 'R-free-flags',
      otherFreeFlags: ['FreeR_flag'],
      columns: [{ label: 'F_unique', type: 'F' }],
      withoutValues: ['F_unique'],
    });
    const [use] = usesOfFiles(
      [{ ...two, facts: { ...two.facts, notes: ['Block 2 is not used.'] } }, modelFile()],
      ruleBook,
    );
    expect(use?.notes?.join(' ')).toMatch(/Block 2.+F_unique.+FreeR_flag, R-free-flags\. Used: FreeR_flag\./);
    const [, apart] = usesOfFiles([bare('data.mtz'), flags('freeR.mtz')], ruleBook);
    expect(apart).toMatchObject({ used: true, text: 'as R-free flags by refine' });
    expect(apart?.notes?.join()).toContain('autobuild');
  });

  const notesOf = (file: SessionFile, ...others: readonly SessionFile[]): string =>
    usesOfFiles([file, ...others], ruleBook)[0]?.notes?.join(' ') ?? '';
  const array = (labels: string, kind: 'amplitude' | 'intensity', anomalous = false) => ({ labels, kind, anomalous });

  it('with the array that is used of several, and the rule', () => {
    const peak = array('I(+),I(-)', 'intensity', true);
    const observations = [peak, array('I_2(+),I_2(-)', 'intensity', true), array('I,SIGI', 'intensity')];
    expect(notesOf(dataFile({ observations }))).toContain(
      'Used: I,SIGI; for the anomalous signal: I(+),I(-). Not used: I_2(+),I_2(-). The rule: merged',
    );
    expect(notesOf(dataFile({ observations: [peak, peak] }))).toContain('Used: I(+),I(-). The rule');
    expect(notesOf(dataFile({ observations: [peak] }))).toBe('');
  });

  it('with the cell of a model that is not that of any data', () => {
    const [one, other] = [
      [50, 60, 70, 90, 90, 90],
      [90, 60, 70, 90, 90, 90],
    ] as const;
    const data = (cell: typeof one | typeof other) => named(dataFile(), `${String(cell[0])}.mtz`, { cell });
    const model = named(modelFile(), 'model.pdb', { cell: one });
    expect(notesOf(model, data(other))).toBe(
      'Its cell is not that of 90.mtz (50 60 70 90 90 90 and 90 60 70 90 90 90).',
    );
    expect(notesOf(model, data(other), data(one))).toBe('');
  });

  it('with other data of another crystal, and of no crystal that is the same', () => {
    const data = (name: string, edge: number) => named(dataFile(), name, { cell: [edge, 60, 70, 90, 90, 90] });
    expect(notesOf(data('a.mtz', 50), data('b.mtz', 90))).toContain('Its cell is not that of b.mtz (50 60');
    expect(notesOf(data('a.mtz', 50), data('b.mtz', 90), data('c.mtz', 50))).toBe('');
  });

  it('as a prediction', () => {
    const model = named(modelFile(), 'm.pdb', { model: { ...modelFile().facts.model!, predicted: true } });
    expect(notesOf(model, dataFile())).toBe('Read as a predicted model.');
  });

  it('as map coefficients', () => {
    const maps = named(dataFile({ observations: [], mapCoefficients: ['FWT,PHWT'] }), 'map_coeffs.mtz');
    expect(account(dataFile(), modelFile(), maps)).toContain('map_coeffs.mtz: as map coefficients by ');
  });

  it('only by programs that have a sequence, if they need one', () => {
    const usedBy = (...files: readonly SessionFile[]): string => usesOfFiles(files, ruleBook)[0]?.text ?? '';
    expect(usedBy(dataFile(), modelFile())).not.toMatch(/autosol|predict_and_build/);
    expect(usedBy(dataFile(), sequenceFile())).toMatch(/autosol, predict_and_build/);
  });

  it('with the missing half of a half map', () => {
    expect(notesOf(map('half_1.map'))).toContain('its other half is missing: it is used as a full map');
  });

  it('by the cycles that used it, once there are any', () => {
    const inputs = [dataFile(), modelFile(), chain('a.seq', 'MKV')];
    const decision = aDecision({ program: 'phenix.xtriage', inputs: [{ slot: 'data', path: '/data/data.mtz' }] });
    const cycles = [aCycle({ cycle: 1, decision, result: aResult({}) })];
    const session = aSession({ request: aRequest({ inputs }), cycles });
    expect(linesOf(submittedUses(session, ruleBook))[0]).toBe('data.mtz: as data by xtriage (cycle 1)');
    const ended = submittedUses({ ...session, status: 'completed' }, ruleBook);
    expect(linesOf(ended)[2]).toContain('a.seq! the session ended before a program took it');
  });

  it('with the exclusion by the directives', () => {
    const request = aRequest({
      inputs: [dataFile(), modelFile()],
      directives: { file_preferences: { exclude: ['model.pdb'] } },
    });
    expect(linesOf(submittedUses(aSession({ request }), ruleBook))[1]).toContain(
      'model.pdb! the directives exclude it',
    );
  });
});
