import type { StrategyValue } from '@fleet/contracts/schema';
import type { DefaultParameter, InputSlot, StrategyKey } from '@fleet/knowledge-model';
import { hermannMauguin } from '@fleet/symmetry';

/** PHIL accepts these unquoted; anything else is quoted, because a blank, `#`, `;`, `{` or `$` would end or change the value. */
const plainValue = /^[\w./+,:()*@%~^<>=!?&|[\]-]+$/;

const quoted = (text: string): string => {
  if (!text.includes('"')) return `"${text.replaceAll('\\', '\\\\')}"`;
  return text.includes("'")
    ? `"${text.replace(/[\\"]/g, (character) => `\\${character}`)}"`
    : `'${text.replaceAll('\\', '\\\\')}'`;
};

const phil = (value: StrategyValue): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  const text = String(value);
  return plainValue.test(text) ? text : quoted(text);
};

/** The argument that gives a file to a slot. */
export const fileToken = ({ flag }: Pick<InputSlot, 'flag'>, path: string): string =>
  flag === undefined ? path : `${flag}=${phil(path)}`;

/** The argument of a parameter that is always set. */
export const defaultToken = ({ parameter, value }: DefaultParameter): string => `${parameter}=${phil(value)}`;

/** The text that a definition prescribes: that of a switch, and one notation of space groups for all sources. */
const fixedText = (definition: StrategyKey, value: StrategyValue): string | undefined => {
  if (definition.type === 'space_group') return hermannMauguin(String(value));
  return definition.type === 'boolean' ? definition.text_of_true : undefined;
};

/** The argument that sets a parameter; none for a text switch that is off, and for an omitted value. */
export const parameterTokens = (definition: StrategyKey, value: StrategyValue): readonly string[] => {
  const isOff =
    definition.type === 'boolean' ? definition.text_of_true !== undefined && value !== true : value === false;
  return isOff ? [] : [`${definition.parameter}=${phil(fixedText(definition, value) ?? value)}`];
};

/** The content of a quoted argument; undefined if the quotes do not match. */
const unquoted = (text: string): string | undefined => {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  const inside = text.length >= 2 && text.endsWith(quote) ? text.slice(1, -1) : undefined;
  return inside?.replaceAll(/\\(.)/gs, '$1');
};

const readNumber = (text: string): number | undefined => (/^-?\d/.test(text) ? Number(text) : undefined);

const readAs = (definition: StrategyKey, text: string): StrategyValue | undefined => {
  if ('min' in definition) return readNumber(text);
  if (definition.type !== 'boolean') return unquoted(text);
  return definition.text_of_true === undefined ? text === 'True' : true;
};

/** The path in the argument of a slot, only if this service would write exactly the same text. */
export const pathInToken = ({ flag }: Pick<InputSlot, 'flag'>, token: string): string | undefined => {
  if (flag === undefined) return token;
  const path = token.startsWith(`${flag}=`) ? unquoted(token.slice(flag.length + 1)) : undefined;
  return path !== undefined && fileToken({ flag }, path) === token ? path : undefined;
};

/** The value in `parameter=value`, only if this service would write exactly the same text. */
export const valueInToken = (definition: StrategyKey, token: string): StrategyValue | undefined => {
  const value = readAs(definition, token.slice(definition.parameter.length + 1));
  return value !== undefined && parameterTokens(definition, value)[0] === token ? value : undefined;
};
