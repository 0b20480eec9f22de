import type { StrategyValue } from '@fleet/contracts/schema';
import type { ParameterType, StrategyKey } from '@fleet/knowledge-model';
import { defaultToken, fileToken, parameterTokens, pathInToken, valueInToken } from './phil-tokens';

const key = (type: ParameterType): StrategyKey => ({ key: 'key', parameter: 'scope.key', source: 'its PHIL', ...type });
const text = key({ type: 'selection' });
const number = key({ type: 'number', min: -9, max: 99 });
const switched = key({ type: 'boolean' });
const worded = key({ type: 'boolean', text_of_true: 'individual_adp tls' });

describe('an argument', () => {
  const written: readonly [StrategyKey, StrategyValue, string][] = [
    [text, 'all', 'scope.key=all'],
    [text, 'chain A', 'scope.key="chain A"'],
    [text, 'name O5"', `scope.key='name O5"'`],
    [text, `O5' or "O5"`, `scope.key="O5' or \\"O5\\""`],
    [text, 'a\\b c', 'scope.key="a\\\\b c"'],
    [text, 'a\\b "c"', `scope.key='a\\\\b "c"'`],
    [text, `a\\b "c" 'd'`, `scope.key="a\\\\b \\"c\\" 'd'"`],
    [number, 2.5, 'scope.key=2.5'],
    [number, -2, 'scope.key=-2'],
    [switched, true, 'scope.key=True'],
    [switched, false, 'scope.key=False'],
    [worded, true, 'scope.key="individual_adp tls"'],
  ];

  it.each(written)('of %j set to %j is written and read back', (definition, value, token) => {
    expect(parameterTokens(definition, value)).toEqual([token]);
    expect(valueInToken(definition, token)).toBe(value);
  });

  it.each([
    ['P43212', '"P 43 21 2"'],
    ['P 21 21 2', '"P 21 21 2"'],
    ['H3', '"R 3:H"'],
    ['96', '96'],
  ])('of the space group %s has one notation', (value, written) => {
    expect(parameterTokens(key({ type: 'space_group' }), value)).toEqual([`scope.key=${written}`]);
  });

  it('of a text switch is omitted if it is off', () => {
    expect(parameterTokens(worded, false)).toEqual([]);
  });

  it('of a default is written as any other', () => {
    const source = 'its PHIL';
    expect(defaultToken({ parameter: 'quiet', value: true, source, why: 'always' })).toBe('quiet=True');
    expect(defaultToken({ parameter: 'label', value: 'a b', source, why: 'always' })).toBe('label="a b"');
  });

  it.each([
    [text, 'scope.key="all"'],
    [text, 'scope.key=chain A'],
    [text, 'scope.key="chain A'],
    [text, `scope.key="chain A'`],
    [text, 'scope.key="'],
    [number, 'scope.key=two'],
    [number, 'scope.key=x2'],
    [number, 'scope.key=02'],
    [number, 'scope.key=2.50'],
    [switched, 'scope.key=true'],
    [switched, 'scope.key="True"'],
    [worded, 'scope.key=True'],
    [worded, 'scope.key=individual_adp'],
  ])('of %j is not read if this service would write it differently: %s', (definition, token) => {
    expect(valueInToken(definition, token)).toBeUndefined();
  });
});

describe('the argument of a file', () => {
  it.each([
    [{}, '/data/my model.pdb', '/data/my model.pdb'],
    [{ flag: 'model' }, '/data/model.pdb', 'model=/data/model.pdb'],
    [{ flag: 'model' }, '/data/my model.pdb', 'model="/data/my model.pdb"'],
    [{ flag: 'model' }, `/data/"my" model's.pdb`, `model="/data/\\"my\\" model's.pdb"`],
  ])('in %j is written and read back: %s', (slot, path, token) => {
    expect(fileToken(slot, path)).toBe(token);
    expect(pathInToken(slot, token)).toBe(path);
  });

  it.each([
    '/data/model.pdb',
    'data=/data/model.pdb',
    'model="/data/model.pdb"',
    'model=/data/my model.pdb',
    '/data/model=',
  ])('after a flag is not read if this service would write it differently: %s', (token) => {
    expect(pathInToken({ flag: 'model' }, token)).toBeUndefined();
  });
});
