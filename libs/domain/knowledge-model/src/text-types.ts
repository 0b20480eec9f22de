import { atomicNumber } from './chemical-elements';
import type { TextTypeName } from './parameter-type';

/** The form of a text type's values. */
interface TextType {
  /** In words, for error messages. */
  readonly allowed: string;
  /** Maximum length. */
  readonly longest: number;
  readonly fits: (value: string) => boolean;
}

const matching =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);

/** A, B, C in Å: from below the smallest crystals of small molecules to above the largest of viruses and to the boxes of large maps. */
const edges = { min: 2, max: 5_000 };
/** Degrees. */
const angles = { min: 10, max: 170 };

const within = (value: number | undefined, { min, max }: { readonly min: number; readonly max: number }): boolean =>
  value !== undefined && value >= min && value <= max;

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

/** Three angles between three edges form a cell only if it has a volume. */
const spans = (alpha: number, beta: number, gamma: number): boolean => {
  const [a, b, c] = [cosine(alpha), cosine(beta), cosine(gamma)];
  return 1 - a * a - b * b - c * c + 2 * a * b * c > 0;
};

const isUnitCell = (value: string): boolean => {
  if (!/^\d{1,5}(?:\.\d{1,6})?(?:(?:, ?| {1,3})\d{1,5}(?:\.\d{1,6})?){5}$/.test(value)) return false;
  const [a, b, c, alpha = 0, beta = 0, gamma = 0] = value.split(/[, ]+/).map(Number);
  return (
    [a, b, c].every((edge) => within(edge, edges)) &&
    [alpha, beta, gamma].every((angle) => within(angle, angles)) &&
    spans(alpha, beta, gamma)
  );
};

/** A column, or which of several datasets of a CIF, as iotbx writes it (`wavelength_id=1`); PHIL takes the rest of a word after `=` as one value. */
const label = String.raw`(?:[A-Za-z0-9_][\w.+\-()*:[\]~@|]{0,63}|(?:crystal_id|scale_group_code|wavelength_id)=\w{1,16})`;

/** Operators such as `-h-k` or `1/2*h+1/2*k`. */
const operator = String.raw`[-+*/.\d ]{0,20}[hkl][-+*/.\dhkl ]{0,40}`;

/**
 * A Hermann-Mauguin symbol, with a setting (`R 3 :H`) or a number (`(No. 19)`) after it: a lattice, then axes and planes with at least one
 * digit, as every group of a macromolecule has. Words for no value (`Not specified`, `automatic`) do not match.
 */
const spaceGroupSymbol =
  /^[PABCIFRH](?=[^:(]*\d)(?:[-_ /0-6abcdemn]|\([1-5]\))*(?: ?:[HR12])?(?: ?\([A-Z0-9 .,/:*+-]*\))?$/i;

/**
 * None of these allows a newline, `;`, `#`, `{`, `}`, `$`, `=` (but in labels), a backslash or a leading slash: a PHIL parser cannot read a second parameter,
 * a comment, a variable or a path. Only selections may contain quotes and blanks anywhere; the command quotes them.
 */
const definitions: Readonly<Record<TextTypeName, TextType>> = {
  component: {
    allowed: 'a component: 1 to 5 capital letters and digits',
    longest: 5,
    fits: matching(/^[A-Z0-9]+$/),
  },
  compound_file: {
    allowed: 'a component with ".smi" behind it',
    longest: 9,
    fits: matching(/^[A-Z0-9]{1,5}\.smi$/),
  },
  elements: {
    allowed: 'chemical symbols such as "S Se", parted by blanks, commas or "+"',
    longest: 60,
    fits: (value) =>
      /^[A-Za-z]{1,2}(?:(?:, ?| |\+)[A-Za-z]{1,2})*$/.test(value) &&
      value.split(/[ ,+]+/).every((symbol) => atomicNumber(symbol) > 0),
  },
  labels: {
    allowed: 'column labels such as FP,SIGFP, parted by commas: letters, digits and _ . + - ( ) * : [ ] ~ @ |',
    longest: 300,
    fits: matching(new RegExp(`^${label}(?:,${label}){0,9}$`)),
  },
  name: {
    allowed: 'one word: letters, digits and _ . + -, at most 64 characters, with a letter or digit first',
    longest: 64,
    fits: matching(/^[A-Za-z0-9][\w.+-]*$/),
  },
  output_name: {
    allowed: 'a file name without folders: letters, digits and _ . + -, with a letter or digit first',
    longest: 128,
    fits: matching(/^[A-Za-z0-9][\w.+-]*$/),
  },
  selection: {
    allowed:
      'an atom selection such as chain A and resseq 5:10, at most 500 characters: letters, digits, blanks, quotes and _ . , : + - * ? ( ) < >',
    longest: 500,
    fits: matching(/^[\w(*'"][\w .,:+\-*?()<>'"]*$/),
  },
  space_group: {
    allowed: 'a space group such as P 21 21 21, R 3 :H or 19',
    longest: 40,
    fits: (value) => spaceGroupSymbol.test(value) || /^[1-9]\d{0,2}$/.test(value),
  },
  twin_law: {
    allowed: 'three operators in h, k and l such as h,-k,-l, or false for none',
    longest: 120,
    fits: matching(new RegExp(`^${operator}(?:,${operator}){2}$`, 'i')),
  },
  unit_cell: {
    allowed: 'six numbers such as 75 75 133 90 90 120: edges from 2 to 5000 Å, angles from 10 to 170° that make a cell',
    longest: 100,
    fits: isUnitCell,
  },
};

export const allowedText = (type: TextTypeName): string => definitions[type].allowed;

/** PHIL's words for no value and for the program's own choice: equivalent to omitting the parameter. */
const philWords = /^(?:none|auto)$/i;

/** Whether a text is a value of the type. */
export const isTextOf = (type: TextTypeName, value: string): boolean => {
  const { longest, fits } = definitions[type];
  return value.length <= longest && !philWords.test(value) && fits(value);
};
