import { UnreadableInput } from './copy-file';
import { describeInputTrouble, troubleOf } from './input-words';

const systemError = (code: string): Error => Object.assign(new Error(code), { code });
const input = { argument: 1, path: '/data/a\nb.mtz', name: '1/a_b.mtz' };

it.each([
  ['EACCES', false, 'the user of the program has no permission to read it'],
  ['ENOENT', false, 'it no longer exists, or not where the program runs'],
  ['ENOTDIR', false, 'a folder on the way to it has been replaced'],
  ['EIO', true, 'it cannot be read (EIO)'],
  ['ESTALE', true, 'it cannot be read (ESTALE)'],
])('%s is reported with a text, and as an infrastructure failure or not', (code, infrastructure, words) => {
  for (const error of [systemError(code), new UnreadableInput('x', { cause: systemError(code) })]) {
    const outcome = describeInputTrouble('phenix.refine', input, troubleOf(error));
    expect(outcome).toMatchObject({ kind: 'not_started', infrastructure });
    expect(outcome.message).toContain(words);
    expect(outcome.message).toContain('"/data/a\\u{a}b.mtz"');
  }
});
