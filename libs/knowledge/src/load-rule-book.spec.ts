import { mkdtemp, mkdir, readFile, rm, writeFile, cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@fleet/contracts';
import { loadRuleBook } from './load-rule-book';

const knowledge = join(__dirname, '../../../knowledge');

describe('loadRuleBook', () => {
  it('accepts the knowledge of the project and freezes it', async () => {
    const ruleBook = await loadRuleBook(knowledge);
    expect(Object.keys(ruleBook.programs)).toHaveLength(23);
    expect(Object.isFrozen(ruleBook.programs['phenix.refine']?.inputs[0])).toBe(true);
  });

  it('says which folder cannot be read', async () => {
    await expect(loadRuleBook('/nowhere/knowledge')).rejects.toMatchObject({ code: 'knowledge.unreadable' });
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
    const problems = async (): Promise<readonly string[]> => {
      try {
        await loadRuleBook(folder);
      } catch (error) {
        if (isFault(error)) return error.problems.map(({ field, reason }) => `${field} ${reason}`);
        throw error;
      }
      return [];
    };

    it('lists every problem of every file with its place', async () => {
      await edit('programs/refine.yaml', (text) =>
        text.replace('group: refinement', 'group: refinement\ncolour: blue'),
      );
      await edit('programs/polder.yaml', (text) => text.replace('strategy: set_flag', 'strategy: sometimes'));
      const found = await problems();
      expect(found).toContain('programs/refine.yaml# has the unknown key "colour"');
      expect(found).toContain('programs/polder.yaml#/done/strategy must be one of ["set_flag","run_once","count"]');
    });

    it('finds names that no other file defines', async () => {
      await edit('workflows/xray.yaml', (text) =>
        text.replace('{ fact: runs.phaser, above: 0 }', '{ fact: runs.fazer, above: 0 }'),
      );
      await edit('programs/refine.yaml', (text) => text.replace('categories: [ligand_cif]', 'categories: [ligandcif]'));
      const found = await problems();
      expect(found).toContain(
        'workflows/xray.yaml#/definitions/placed_by_history names the fact "runs.fazer", which nothing makes',
      );
      expect(found).toContain(
        'programs/refine.yaml#/inputs/2 names the file category "ligandcif", which file_categories.yaml lacks',
      );
    });

    it('names the file that is not YAML', async () => {
      await edit('programs/phaser.yaml', () => 'name: [unclosed');
      expect((await problems()).join('\n')).toContain('programs/phaser.yaml is not YAML');
    });

    it('names a file that is missing', async () => {
      await rm(join(folder, 'metrics.yaml'));
      expect(await problems()).toContain('metrics.yaml is missing or invalid');
    });
  });
});
