/** An integer or number between crystallographically sensible bounds. */
interface NumberType {
  readonly type: 'integer' | 'number';
  readonly min: number;
  readonly max: number;
  readonly unit?: 'Å' | '%' | 'Å²' | '°';
}

interface BooleanType {
  readonly type: 'boolean';
  /** A switch whose parameter takes a text: `true` writes it, `false` writes nothing. */
  readonly text_of_true?: string;
}

interface ChoiceType {
  readonly type: 'choice';
  readonly choices: readonly string[];
}

/** A chemical symbol, or one of the words that the program accepts instead. */
interface ElementType {
  readonly type: 'element';
  readonly also?: readonly string[];
  /** Several may be requested; the command has the heaviest here and the others in the key that `heavier_first` names. */
  readonly several?: true;
}

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

interface TextType {
  readonly type: TextTypeName;
}

/**
 * The type of a parameter. There is no type for arbitrary text, and none for paths: a file is an input slot, outputs are named by the service
 * (`output_name`), and the SMILES of a ligand are in a file of the service (`compound_file`).
 */
export type ParameterType = NumberType | BooleanType | ChoiceType | ElementType | TextType;

/** Whether values are texts of a fixed form. */
export const isTextType = (type: ParameterType): type is TextType =>
  (textTypes as readonly string[]).includes(type.type);

/** Whether the parameter names an output. */
export const namesOutput = ({ type }: ParameterType): boolean => type === 'output_name';

/** Whether the parameter names a ligand of the session, or the file with its SMILES. */
export const namesLigand = ({ type }: ParameterType): boolean => type === 'component' || type === 'compound_file';

/** Whether only automatic values of the knowledge may set the parameter. */
export const isOwnParameter = (type: ParameterType): boolean => namesOutput(type) || namesLigand(type);
