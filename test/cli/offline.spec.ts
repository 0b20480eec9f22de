import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@fleet/testing';
import { aModel, someReflections } from '../api/gateway-harness';
import { runPhx, type Ran } from './scripted-terminal';

/** The end of a log of phenix.refine, with a word that a terminal would obey. */
const refineLines = [
  'Start R-work = 0.4064, R-free = 0.4880',
  'Final R-work = 0.2266, R-free = 0.2637',
  'Sorry: not \u001b[31mreally',
];

describe('phx without a service', () => {
  const folder = useFolder();
  let knowledgeFolder: string | undefined;
  beforeEach(() => {
    knowledgeFolder = undefined;
  });

  const write = (name: string, text: string | readonly string[]): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof text === 'string' ? text : `${text.join('\n')}\n`);
    return path;
  };
  /** Nobody listens there: a command that asked for a service would fail. */
  const phx = (...args: readonly string[]): Promise<Ran> =>
    runPhx(['--server', 'http://127.0.0.1:1', ...args], {
      cwd: folder,
      ...(knowledgeFolder !== undefined && { knowledgeFolder }),
    });

  describe('advice', () => {
    it('prints the interpretation with the words, and the parts that no rule follows', async () => {
      const { code, out } = await phx(
        'advice',
        'preview',
        'Skip autobuild and stop after phaser. Prioritise geometry.',
      );
      expect(code).toBe(0);
      expect(out).toBe(
        [
          'Understood',
          '  The session ends when phenix.phaser has succeeded.  (“Skip autobuild and stop after phaser.”)',
          '  It ends without validation.  (“Skip autobuild and stop after phaser.”)',
          '  phenix.autobuild is left out.  (“Skip autobuild and stop after phaser.”)',
          '',
          'Not followed',
          '  “Prioritise geometry.”: no rule reads anything in it',
          '',
        ].join('\n'),
      );
    });

    it('prints the interpretation with --json, also of a file', async () => {
      write('advice.txt', 'refine once and stop');
      const { code, out } = await phx(
        'advice',
        'preview',
        '--advice-file',
        'advice.txt',
        '--experiment',
        'cryoem',
        '--json',
      );
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        directives: { stop_conditions: { after_program: 'phenix.real_space_refine', max_refine_cycles: 1 } },
      });
    });

    it.each([
      [['advice', 'preview'], 'Give the advice, or --advice-file.'],
      [['advice', 'preview', 'x', '--experiment', 'neutron'], '--experiment "neutron" is neither xray nor cryoem.'],
      [['advice', 'preview', 'x'.repeat(20_001)], 'The advice has 20001 characters; at most 20000 are read.'],
    ])('exits with 2 for unreadable text', async (args, message) => {
      const { code, err } = await phx(...args);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    });
  });

  describe('analyse', () => {
    it('prints each number with its line and pattern, in the units of the knowledge', async () => {
      write('refine.log', [
        'open-phenix 0.1: phenix.refine is run here by Servalcat 0.4.142',
        ...refineLines.slice(0, 2),
      ]);
      const { code, out } = await phx('analyse', 'refine.log');
      expect(code).toBe(0);
      expect(out).toMatch(/^phenix\.refine, 3 lines\n/);
      expect(out).toMatch(/^r_free +R-free +0\.2637 +3 +final_pair$/m);
      expect(out).toMatch(/^start_r_free +R-free at the start +0\.4880 +2 +start_pair$/m);
      expect(out).toContain('No sign of failure');
    });

    it('exits with 6 for a failed run, and explains a known error', async () => {
      write('x.log', ['some lines', 'Sorry: No reflection file in input.']);
      const { code, out } = await phx('analyse', 'x.log', '--program', 'xtriage', '--json');
      expect(code).toBe(6);
      expect(JSON.parse(out)).toMatchObject({
        program: 'phenix.xtriage',
        outcome: 'failed',
        knownError: 'no_reflection_file',
        errorLines: ['Sorry: No reflection file in input.'],
      });
    });

    it('prints no control characters of a log', async () => {
      write('x.log', refineLines);
      expect((await phx('analyse', 'x.log', '--program', 'refine')).out).not.toContain('\u001b');
    });

    it.each([
      ['open-phenix 0.1: phenix.autosol is SIMULATED here: nothing is computed', 'phenix.autosol'],
      ['COMMAND THAT WAS RUN: phenix.refine /a/model.pdb', 'phenix.refine'],
      ['Starting phenix.polder', 'phenix.polder'],
      ['LOG TEXT: **Starting phenix.molprobity **', 'phenix.molprobity'],
    ])('trusts the head line %j', async (head, program) => {
      write('x.log', [head, 'phenix.xtriage is mentioned here']);
      const { out } = await phx('analyse', 'x.log', '--json');
      expect(JSON.parse(out)).toMatchObject({ program });
    });

    it.each([
      ['a body that mentions a program', ['Some log', 'phenix.refine ran before', 'Final R-work = 0.2, R-free = 0.3']],
      ['a head line that stands too far down', [...Array.from({ length: 30 }, () => 'x'), 'Starting phenix.polder']],
      ['an empty log', []],
    ])('does not guess the program from %s', async (_, lines) => {
      write('x.log', lines);
      const { code, err } = await phx('analyse', 'x.log');
      expect([code, err.includes('never guesses')]).toEqual([2, true]);
    });

    it.each([
      [['none.log', '--program', 'refine'], 'none.log does not exist'],
      [['.', '--program', 'refine'], 'is not a file'],
      [['x.log', '--program', 'refyne'], 'is not a program of the agent'],
      [['empty.log', '--program', 'refine'], 'empty.log is empty'],
    ])('exits with 2 for %j', async (args, message) => {
      write('x.log', 'x');
      write('empty.log', '');
      const { code, err } = await phx('analyse', ...args);
      expect([code, err.includes(message)]).toEqual([2, true]);
    });
  });

  describe('classify', () => {
    it('prints content, categories and reasons of each file, and where it is the best', async () => {
      write('data.sca', someReflections);
      write('model.pdb', aModel);
      write('notes.txt', 'hello');
      mkdirSync(join(folder, 'inner'));
      const { code, out } = await phx('classify', '.');
      expect(code).toBe(0);
      expect(out).toMatch(/model\.pdb\n {2}content {3}pdb: model, 2 atoms/);
      expect(out).toMatch(/category {2}model: unclassified_pdb is a kind of it/);
      expect(out).toMatch(/best {6}model: \d+ points \(/);
      expect(out).toMatch(/notes\.txt\n.*\n {2}use {7}notes\.txt is NOT USED: .*\n {2}category {2}none/);
      const { files } = JSON.parse((await phx('classify', '.', '--json')).out) as { files: object[] };
      expect(files).toHaveLength(3);
    });

    it('exits with 2 for an unusable file, and still prints the others', async () => {
      write('empty.mtz', '');
      write('model.pdb', aModel);
      const { code, out } = await phx('classify', 'empty.mtz', 'model.pdb');
      expect([code, out.includes('UNUSABLE'), out.includes('model, 2 atoms')]).toEqual([2, true, true]);
      expect((await phx('classify', 'none.pdb')).code).toBe(2);
    });
  });

  describe('knowledge', () => {
    const ownKnowledge = (change: (text: string) => string, path = 'programs/refine.yaml'): void => {
      const copy = join(folder, 'knowledge');
      cpSync('knowledge', copy, { recursive: true });
      const file = join(copy, path);
      writeFileSync(file, change(readFileSync(file, 'utf8')));
      knowledgeFolder = copy;
    };

    it('is valid as shipped', async () => {
      const { code, out } = await phx('knowledge', 'validate', '--all');
      expect([code, out]).toEqual([0, expect.stringMatching(/all \d+ programs are valid\n$/)]);
    });

    it('names every problem with file and path, and exits with 2', async () => {
      ownKnowledge((text) => `${text}nonsense: 1\n`);
      const { code, out } = await phx('knowledge', 'validate');
      expect(code).toBe(2);
      expect(out).toMatch(/^programs\/refine\.yaml#.*unknown key "nonsense"$/m);
      expect((await phx('knowledge', 'validate', 'refine')).code).toBe(2);
      expect((await phx('knowledge', 'validate', 'phaser')).out).toContain('phaser is valid (');
    });

    it('finds patterns that the code would reject, and undescribed metrics', async () => {
      const extra = (pattern: string): string =>
        `  - { id: extra, metric: no_such_metric, pattern: '${pattern}', type: number, why: a test }\n`;
      ownKnowledge((text) => text.replace(/^metrics:\n/m, `metrics:\n${extra('(?<value>(a+)+)b')}`));
      const { code, out } = await phx('knowledge', 'validate', 'phenix.refine', '--json');
      expect(code).toBe(2);
      const { problems } = JSON.parse(out) as { problems: { field: string }[] };
      expect(problems.map(({ field }) => field)).toEqual(Array(2).fill('programs/refine.yaml#/metrics/extra'));
    });

    it('finds every invalid pattern of advice.yaml', async () => {
      ownKnowledge(
        (text) =>
          text
            .replace('step_by_step:\n', "step_by_step:\n  - '(a+)+'\n  - '{nobody}'\n")
            .replace('own_work:\n  [\n', "own_work:\n  [\n    '(?<',\n"),
        'advice.yaml',
      );
      const { code, out } = await phx('knowledge', 'validate', '--json');
      const { problems } = JSON.parse(out) as { problems: { field: string; reason: string }[] };
      expect([code, new Set(problems.map(({ field }) => field))]).toEqual([2, new Set(['advice.yaml'])]);
      expect(problems.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/^the pattern \(\?< is not a regular expression: /),
        'the pattern (a+)+ may take very long: a repeated group contains a repetition',
        'the pattern {nobody} names no fragment: nobody',
      ]);
    });

    it('shows all programs, and one in full', async () => {
      expect((await phx('knowledge', 'show')).out).toMatch(/^phenix\.xtriage +analysis +xray/m);
      const { out } = await phx('knowledge', 'show', 'real_space_refine');
      for (const part of ['offered    cryoem: ', 'inputs', 'strategy', 'outputs', 'metrics'])
        expect(out).toContain(part);
    });

    it.each([
      [['show', 'nothing'], 'is not a program'],
      [['validate', 'nothing'], 'is not a program'],
      [['validate', 'refine', '--all'], 'not both'],
      [['frobnicate'], 'unknown command'],
    ])('exits with 2 for %j', async (args, message) => {
      const { code, err } = await phx('knowledge', ...args);
      expect([code, err.includes(message)]).toEqual([2, true]);
    });
  });
});
