import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { decideRequestSchema, readRequest } from './request/read-request';
import { decideResponseSchema } from './response/decide-response';

const accepts: ValidateFunction = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(decideRequestSchema);
const isRead = (document: unknown): boolean => {
  try {
    readRequest(document);
    return true;
  } catch {
    return false;
  }
};

const smallest = { api_version: '2.0', files: [], cycle_number: 1 };

describe('the schema of a v2 request', () => {
  it.each([
    ['the smallest', {}],
    ['null for what is absent', { history: null, session_state: null, settings: { max_cycles: null } }],
    ['a foreign member', { plan: { stages: 3 } }],
    [
      'lists of best files',
      { session_state: { best_files: { model: '/d/a.pdb', half_map: ['/d/1.mrc', '/d/2.mrc'] } } },
    ],
    ['an empty experiment', { session_state: { experiment_type: '' } }],
    ['a recovery', { session_state: { recovery_strategies: { '/d/a.mtz': { flags: { x: 'F' } } } } }],
    ['another version', { api_version: '1.0' }],
    ['no cycle', { cycle_number: 0 }],
    ['a path with NUL', { files: ['a\0b'] }],
    ['no list', { files: 'a.mtz' }],
    ['a history without programs', { history: [{ cycle: 1 }] }],
    ['a resolution of nothing', { session_state: { resolution: 0 } }],
    ['a flag in words', { settings: { use_rules_only: 'yes' } }],
    ['a recovery that is a word', { session_state: { recovery_strategies: { '/d/a.mtz': 'again' } } }],
  ])('and its reader agree on %s', (_name, change) => {
    const document = { ...smallest, ...change };
    expect(accepts(document)).toBe(isRead(document));
  });

  it('and its reader agree on any document', () => {
    const member = fc.constantFrom(...Object.keys(decideRequestSchema['properties'] as object));
    const document = fc.tuple(fc.boolean(), fc.dictionary(member, fc.jsonValue({ maxDepth: 3 })));
    fc.assert(
      fc.property(document, ([whole, parts]) => {
        const one = whole ? { ...smallest, ...parts } : parts;
        expect(accepts(one)).toBe(isRead(one));
      }),
    );
  });

  it('states its defaults', () => {
    const { properties } = decideRequestSchema as { properties: { settings: { default: unknown } } };
    expect(properties.settings.default).toMatchObject({ max_cycles: 20, abort_on_red_flags: true });
  });
});

describe('the schema of a response', () => {
  it('is a valid JSON Schema', () => {
    expect(() => new Ajv2020({ strict: true, allowUnionTypes: true }).compile(decideResponseSchema)).not.toThrow();
  });
});
