import { sourcedTokens } from './token-sources';

const argv = ['phenix.refine', 'a b.mtz', 'output.prefix=x'];
const recorded = (tokens: unknown) => [{ cycle: 2, type: 'command_built' as const, data: { tokens } }];
const cycle = { cycle: 2, decision: { argv } };
const plain = argv.map((token) => ({ token }));

describe('the words of a command', () => {
  it('have the sources recorded by the decision', () => {
    const tokens = [
      { token: 'phenix.refine', source: 'program', detail: 'refinement' },
      { token: 'a b.mtz', source: 'slot', detail: 'data: the best file' },
      { token: 'output.prefix=x', source: 'of tomorrow', detail: 'prefix' },
    ];
    expect(sourcedTokens(cycle, recorded(tokens)).map(({ source }) => source)).toEqual([
      'the program: refinement',
      'a file: data: the best file',
      'of tomorrow: prefix',
    ]);
  });

  it.each([
    ['no event', []],
    ['one of another cycle', [{ ...recorded([{ token: argv[0], source: 'program', detail: 'x' }])[0]!, cycle: 1 }]],
    ['one of another command', recorded([{ token: 'phenix.phaser', source: 'program', detail: 'x' }])],
    ['none in it', recorded(undefined)],
    ['something else in it', recorded(['phenix.refine', null, 3])],
  ])('have no source if there is %s', (_, events) => {
    expect(sourcedTokens(cycle, events)).toEqual(plain);
  });
});
