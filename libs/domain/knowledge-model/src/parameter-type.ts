import {
  also,
  choice,
  mark,
  matching,
  merged,
  number,
  record,
  someOf,
  type Described,
  type Schema,
} from '@fleet/contracts/schema';
import { unit } from './shared-schemas';

/** Types whose values are texts of a fixed form, each with its alphabet and length. */
export const textTypes = [
  'component',
  'compound_file',
  'elements',
  'labels',
  'name',
  'output_name',
  'selection',
  'space_group',
  'twin_law',
  'unit_cell',
] as const;
export type TextTypeName = (typeof textTypes)[number];

/** An integer or number between crystallographically sensible bounds. */
const numberType = record({ type: choice(['integer', 'number']), min: number(), max: number() }, { unit });

const booleanType = record(
  { type: choice(['boolean']) },
  {
    /** A switch whose parameter takes a text: `true` writes it, `false` writes nothing. */
    text_of_true: matching('^[A-Za-z0-9_ .,:+()*-]{1,200}$'),
  },
);

const choiceType = record({
  type: choice(['choice']),
  choices: someOf(matching('^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$')),
});

/** A chemical symbol, or one of the words that the program accepts instead. */
const elementType = record(
  { type: choice(['element']) },
  {
    also: someOf(matching('^[A-Za-z0-9]{1,12}$')),
    /** Several may be requested; the command has the heaviest here and the others in the key that `heavier_first` names. */
    several: mark(),
  },
);

const textType = record({ type: choice(textTypes) });
type TextType = Described<typeof textType>;

const parameterTypes = [numberType, booleanType, choiceType, elementType, textType] as const;

/**
 * The type of a parameter. There is no type for arbitrary text, and none for paths: a file is an input slot, outputs are named by the service
 * (`output_name`), and the SMILES of a ligand are in a file of the service (`compound_file`).
 */
export type ParameterType = Described<(typeof parameterTypes)[number]>;

/** Adds a parameter's type: each `type` has its own members, and those of the others are refused. */
export const withParameterType = <T>(schema: Schema<T>): Schema<T & ParameterType> => {
  const types = parameterTypes.map(({ properties: { type = {}, ...members } = {}, required = [] }) => ({
    names: type.enum ?? [],
    members,
    required: required.filter((member) => member !== 'type'),
  }));
  const type = choice(types.flatMap(({ names }) => names.map(String)));
  const members = types.map((one) => one.members).reduce((all, some) => ({ ...all, ...some }));
  return also(merged(schema, record({ type }, members)) as Schema<unknown> as Schema<T & ParameterType>, {
    allOf: types.map((one) => ({
      if: { properties: { type: { enum: one.names } } },
      then: { required: one.required },
      else: { properties: Object.fromEntries(Object.keys(one.members).map((member) => [member, false])) },
    })),
  });
};

/** Whether values are texts of a fixed form. */
export const isTextType = (type: ParameterType): type is TextType =>
  (textTypes as readonly string[]).includes(type.type);

/** Whether the parameter names an output. */
export const namesOutput = ({ type }: ParameterType): boolean => type === 'output_name';

/** Whether the parameter names a ligand of the session, or the file with its SMILES. */
export const namesLigand = ({ type }: ParameterType): boolean => type === 'component' || type === 'compound_file';

/** Whether only automatic values of the knowledge may set the parameter. */
export const isOwnParameter = (type: ParameterType): boolean => namesOutput(type) || namesLigand(type);
