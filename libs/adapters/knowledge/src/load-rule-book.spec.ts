import { mkdtemp, mkdir, readFile, rm, writeFile, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@fleet/contracts/faults';
import { textTypes } from '@fleet/knowledge-model';
import { loadRuleBook } from './load-rule-book';

const knowledge = join(__dirname, '../../../../knowledge');

describe('loadRuleBook', () => {
  it("accepts the project's knowledge and freezes it", () => {
    const ruleBook = loadRuleBook(knowledge);
    expect(Object.isFrozen(ruleBook.programs['phenix.refine']?.inputs[0])).toBe(true);
  });

  it('gives every parameter of every program a bounded type', () => {
    const { programs } = loadRuleBook(knowledge);
    for (const { name, strategy } of Object.values(programs)) {
      for (const definition of strategy) {
        const sized = 'min' in definition && 'max' in definition;
        const listed = 'choices' in definition;
        const formed = ['boolean', 'element', ...textTypes].includes(definition.type);
        expect([name, definition.key, sized || listed || formed]).toEqual([name, definition.key, true]);
      }
    }
  });

  it('names an unreadable folder', () => {
    const unreadable = expect.objectContaining({ code: 'knowledge.unreadable' }) as Error;
    expect(() => loadRuleBook('/nowhere/knowledge')).toThrow(unreadable);
  });

  describe('with a broken copy', () => {
    let folder: string;
    beforeEach(async () => {
      folder = join(await mkdtemp(join(tmpdir(), 'knowledge-')), 'knowledge');
      await mkdir(folder);
      await cp(knowledge, folder, { recursive: true });
    });
    afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

    const edit = async (path: string, change: (text: string) => string): Promise<void> => {
      const file = join(folder, path);
      await writeFile(file, change(await readFile(file, 'utf8')));
    };
    const problems = (): readonly string[] => {
      try {
        loadRuleBook(folder);
      } catch (error) {
        if (isFault(error)) return error.problems.map(({ field, reason }) => `${field} ${reason}`);
        throw error;
      }
      return [];
    };

    it('has a digest of its files, independent of how they were copied', async () => {
      const { digest } = loadRuleBook(knowledge);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(loadRuleBook(folder).digest).toBe(digest);
      await edit('programs/refine.yaml', (text) => `${text}# changed\n`);
      expect(loadRuleBook(folder).digest).not.toBe(digest);
    });

    it('lists every problem of every file with its place', async () => {
      await edit('programs/refine.yaml', (text) =>
        text.replace('group: refinement', 'group: refinement\ncolour: blue'),
      );
      await edit('programs/polder.yaml', (text) => text.replace('strategy: set_flag', 'strategy: sometimes'));
      const found = problems();
      expect(found).toContain('programs/refine.yaml# has the unknown key "colour"');
      expect(found).toContain('programs/polder.yaml#/done/strategy must be one of ["set_flag","run_once","count"]');
    });

    it('finds references to undefined names', async () => {
      await edit('workflows/xray.yaml', (text) =>
        text.replace('{ fact: runs.phaser, above: 0 }', '{ fact: runs.fazer, above: 0 }'),
      );
      await edit('programs/refine.yaml', (text) => text.replace('categories: [ligand_cif]', 'categories: [ligandcif]'));
      const found = problems();
      expect(found).toContain(
        'workflows/xray.yaml#/definitions/placed_by_history names the fact "runs.fazer", which nothing makes',
      );
      expect(found).toContain(
        'programs/refine.yaml#/inputs/3 names the file category "ligandcif", which file_categories.yaml lacks',
      );
    });

    it('finds keys and categories that the search does not support', async () => {
      await edit('metrics.yaml', (text) =>
        text
          .replace('copies: [component_copies, copies_each]', 'copies: [component_copy]')
          .replace('trim: phenix.process_predicted_model', 'trim: phenix.trim')
          .replace('unclassified_pdb, model]', 'unclassified, model]'),
      );
      await edit('programs/predict_and_build.yaml', (text) =>
        text.replace('  key: stop_after_predict', '  key: stop_after'),
      );
      expect(problems()).toEqual(
        expect.arrayContaining([
          'metrics.yaml#/placement_evidence/programs names "phenix.trim", which is not described',
          'metrics.yaml#/placement_evidence/keys names "component_copy", which is not a strategy key of phenix.phaser',
          'metrics.yaml#/placement_evidence/candidates names the file category "unclassified", which file_categories.yaml lacks',
          'programs/predict_and_build.yaml#/stops_early names "stop_after", which is not a strategy key of the program',
        ]),
      );
    });

    it('finds undefined programs and settings in advice.yaml', async () => {
      await edit('advice.yaml', (text) =>
        text
          .replace('  - program: phenix.xtriage', '  - program: phenix.xtraige')
          .replace('program: phenix.refine, macro_cycles: cycles', 'program: phenix.refine, macro_cycles: rounds')
          .replace('cryoem: phenix.map_to_model }', 'cryoem: phenix.autobuild }')
          .replace('phasing: phenix.autosol', 'phasing: phenix.autosolve')
          .replace('  metric: r_free', '  metric: r_freed')
          .replace('- key: sites\n', '- key: sights\n')
          .replace('- key: copies\n', '- key: copied\n'),
      );
      expect(problems()).toEqual([
        'advice.yaml#/until/metric names the metric "r_freed", which no program tells',
        'advice.yaml#/programs/0 names "phenix.xtraige", which is not described',
        'advice.yaml#/meant/refinement/xray names "rounds", which is not a strategy key of phenix.refine',
        'advice.yaml#/initial_model/programs/cryoem names "phenix.autobuild", which is not for cryoem',
        'advice.yaml#/meant/phasing names "phenix.autosolve", which is not described',
        expect.stringMatching(
          /^advice\.yaml#\/settings\/\d+ names "sights", which is not a strategy key of phenix\.autosol$/,
        ),
        expect.stringMatching(/^advice\.yaml#\/settings\/\d+ names the strategy key "copied", which nothing has$/),
      ]);
    });

    it.each([
      [
        'a parameter that takes any text',
        ['type: twin_law', 'type: string'],
        /^programs\/refine\.yaml#\/strategy\/\d+\/type must be one of /,
      ],
      ['a number without bounds', ['    min: 0\n    max: 100\n', ''], /lacks "min"/],
      [
        'a parameter that nobody has looked up',
        ['    type: twin_law\n    source: libtbx/langchain/knowledge/programs.yaml\n', '    type: twin_law\n'],
        /^programs\/refine\.yaml#\/strategy\/\d+ lacks "source"/,
      ],
      [
        'bounds the wrong way round',
        ['    min: 0\n    max: 100\n', '    min: 100\n    max: 0\n'],
        /cycles has a min that is not below its max/,
      ],
      ['bounds of a text', ['    type: twin_law\n', '    type: twin_law\n    max: 9\n'], /strategy\/\d+\/max/],
      [
        'an output that anybody may name',
        ['    type: output_name\n', '    type: name\n'],
        /strategy\/output_prefix sets output\.prefix, which names a place/,
      ],
      [
        'a path for a parameter',
        ['parameter: data_manager.miller_array.labels.name', 'parameter: xray_data.r_free_flags.file_name'],
        /strategy\/obs_labels sets xray_data\.r_free_flags\.file_name, which names a place/,
      ],
      [
        'an automatic value that is none',
        ['value: { run_label: refine }', 'value: { constant: ../refine }'],
        /sets output_prefix to \.\.\/refine, which must be /,
      ],
      [
        'a parameter that two keys set',
        ['    parameter: miller_array.labels.name', '    parameter: xray_data.high_resolution'],
        /has the parameter "xray_data\.high_resolution" twice/,
      ],
    ] as const)('rejects %s', async (_name, [from, to], expected) => {
      await edit('programs/refine.yaml', (text) => text.replace(from, to));
      expect(problems().join('\n')).toMatch(new RegExp(expected.source, 'm'));
    });

    it('names a file that is not YAML', async () => {
      await edit('programs/phaser.yaml', () => 'name: [unclosed');
      expect(problems().join('\n')).toContain('programs/phaser.yaml is not YAML');
    });

    it('names a missing file', async () => {
      await rm(join(folder, 'metrics.yaml'));
      expect(problems()).toContain('metrics.yaml is missing or invalid');
    });
  });
});
