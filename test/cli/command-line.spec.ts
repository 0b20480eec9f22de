import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPhx } from './scripted-terminal';

describe('the command line', () => {
  it.each([
    [['submt'], 'Did you mean submit?'],
    [['list', '--porposal', 'x'], 'Did you mean --proposal?'],
    [['show'], "missing required argument 'id'"],
    [['list', '--limit', 'ten'], 'Expected a number'],
    [['remove-last', 'x', '0'], 'Expected a number'],
    [['remove-last', 'x'], "missing required argument 'n'"],
    [['watch', 'x', '--verbosity', 'loud'], 'Allowed choices'],
    [['list', '--status', 'done'], 'Allowed choices'],
    [['--server', 'ftp://x', 'list'], 'Expected an http or https URL'],
    [['submit', 'x', '--set', 'novalue'], 'is not KEY=VALUE'],
    [['submit', 'x', '--set', 'max_cycles=2', '--set', 'max_cycles=3'], 'is given twice'],
    [['submit', 'x', '--idempotency-key', 'two words'], 'visible ASCII'],
    [['submit', 'x', '--idempotency-key', 'ключ'], 'visible ASCII'],
    [['knowledge', 'show', 'constructor'], 'is not a program of the agent'],
    [['completion', 'tcsh'], 'Allowed choices'],
    [['frobnicate'], 'unknown command'],
  ])('exits with 2 for %j and prints the reason', async (args, message) => {
    const { code, err } = await runPhx(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.each([
    'submit',
    'watch',
    'show',
    'logs',
    'cancel',
    'resume',
    'fork',
    'remove-last',
    'list',
    'results',
    'analyse',
    'files',
    'knowledge',
    'programs',
    'settings',
    'recover',
    'admin',
    'completion',
  ])('has help with an example for %s', async (command) => {
    const { code, out } = await runPhx([command, '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/Example:\n {2}(source <\()?phx /);
  });

  it.each(['bash', 'zsh', 'fish'])('completes in %s', async (shell) => {
    const { out } = await runPhx(['completion', shell]);
    for (const word of ['submit', 'recover', 'proposal', 'orphans', 'drain']) expect(out).toContain(word);
  });

  it.each(['-V', '--version'])('prints its version with %s', async (option) => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
    expect(await runPhx([option])).toMatchObject({ code: 0, out: `${version}\n` });
  });

  it('matches docs/cli.md', async () => {
    const { out } = await runPhx(['--reference']);
    expect(readFileSync(join(__dirname, '../../docs/cli.md'), 'utf8')).toBe(out);
  });
});
