import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parameterTokens } from '@fleet/commands';
import type { StrategyValue } from '@fleet/contracts/schema';
import { problemWithValue, type StrategyKey } from '@fleet/knowledge-model';
import * as fc from 'fast-check';
import { hermannMauguin } from '@fleet/symmetry';
import { projectRules } from '@fleet/testing';

// What every type accepts goes through the real PHIL parser of the open programs: it must come out as one parameter with that value.

/** What PHIL gives a meaning to, and what text types allow; most of what is drawn from it is refused. */
const nasty = [
  ...Array.from(`aAzZ09 _.,:+-*/'"()<>=?!|&@~%^[]{};#$\\\`\n\t`),
  'é',
  '\u2028',
  '\u00a0',
  'None',
  'Auto',
  '"""',
  "'''",
];
const words = fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
const from = (alphabet: string, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength: 1, maxLength })
    .map((characters) => characters.join(''));
const operator = from('hklHKL+-*/12. ', 8);
const length = fc.double({ min: 2, max: 5000, noNaN: true }).map((edge) => edge.toFixed(3));
const angle = fc.double({ min: 60, max: 119, noNaN: true }).map((degrees) => degrees.toFixed(2));

/** Texts that come near to being values of text types. */
const near: fc.Arbitrary<string> = fc.oneof(
  words,
  from(`abcXYZ019 _.,:+-*?()<>'"`, 40),
  from('abcXYZ019_.+-()*:[]~@|,', 30),
  from('abcXYZ019_.+-', 20),
  from('PABCIFRH21/ :()-_,+*c', 12),
  fc.tuple(operator, operator, operator).map((parts) => parts.join(',')),
  fc
    .tuple(length, length, length, angle, angle, angle, fc.constantFrom(' ', ',', ', ', ';'))
    .map((parts) => parts.slice(0, 6).join(parts[6])),
  fc.array(fc.constantFrom('S', 'Se', 'ZN', 'ca', 'Xx'), { minLength: 1, maxLength: 5 }).map((list) => list.join(' ')),
);

const candidates = (definition: StrategyKey): fc.Arbitrary<StrategyValue> => {
  if ('min' in definition)
    return fc.oneof(fc.double(), fc.integer(), fc.double({ min: definition.min, max: definition.max }));
  return fc.oneof(fc.boolean(), near, fc.constantFrom(...('choices' in definition ? definition.choices : ['Se'])));
};

interface Case {
  readonly token: string;
  readonly parameter: string;
  readonly value: StrategyValue;
}

interface Read {
  readonly error?: string;
  readonly paths?: readonly string[];
  readonly value?: string;
  readonly other?: string;
}

export const readByPhil = (cases: readonly Case[]): readonly Read[] => {
  const input = cases.map((one) => JSON.stringify(one)).join('\n');
  const run = spawnSync(process.execPath, [join(__dirname, 'phil-values.mjs')], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (run.status !== 0) throw new Error(`the PHIL parser could not be asked: ${run.error?.message ?? run.stderr}`);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Read);
};

const written = (definition: StrategyKey, value: StrategyValue): string => {
  if (typeof value === 'boolean')
    return 'text_of_true' in definition ? definition.text_of_true : value ? 'True' : 'False';
  const text = String(value);
  return definition.type === 'space_group' ? (hermannMauguin(text) ?? text) : text;
};

/**
 * For each parameter of each program, draws so many values, and gives those accepted ones, at most `perKey`, that PHIL does not read as one
 * parameter with that value. `missed`: types without any accepted value.
 */
export const misread = (
  drawn: number,
  perKey: number,
): { readonly wrong: readonly object[]; readonly missed: readonly string[] } => {
  const { programs } = projectRules();
  // Options of a program that reads no PHIL (`--smiles=…` of phenix.elbow) are words of its command line as they stand.
  const keys = Object.values(programs)
    .flatMap(({ strategy }) => strategy)
    .filter(({ parameter }) => !parameter.startsWith('--'));
  const cases = keys.flatMap((definition, index) =>
    fc
      .sample(candidates(definition), { numRuns: drawn, seed: 2026 + index })
      .filter((value) => problemWithValue(definition, value) === undefined)
      .slice(0, perKey)
      .flatMap((value) =>
        parameterTokens(definition, value).map((token) => ({
          token,
          parameter: definition.parameter,
          value: written(definition, value),
        })),
      ),
  );
  const types = new Map(keys.map((definition) => [definition.parameter, definition.type]));
  const tried = new Set(cases.map(({ parameter }) => types.get(parameter)));
  const wrong = readByPhil(cases)
    .map((read, index) => ({ ...cases[index]!, read }))
    .filter(({ parameter, value, read }) => {
      const one = read.paths?.length === 1 && read.paths[0] === parameter && read.other === 'untouched';
      return !one || read.value !== value;
    });
  return { wrong, missed: [...new Set(types.values())].filter((type) => !tried.has(type)) };
};
