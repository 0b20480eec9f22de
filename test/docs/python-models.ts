import type { ApiDocument, ApiOperation, ApiSchema } from './api-changes';

const header = `# Generated from docs/reference/openapi.json by test/docs/openapi.spec.ts; regenerate with FLEET_WRITE_DOCS=1.
"""Requests and responses of the gateway, from its OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict
`;

/** Names that a class body cannot have as members. */
const keywords = new Set(['and', 'as', 'class', 'def', 'del', 'from', 'global', 'import', 'in', 'is', 'not', 'or']);

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  array: 'list[Any]',
  object: 'dict[str, Any]',
};

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `program_settings` as a part of a name: `ProgramSettings`. */
const inName = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalised)
    .join('');

/** A text on one line, inside three quotes. */
const docstring = (text: string): string =>
  `"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'").replaceAll(/\s+/g, ' ')}"""`;

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

const literal = (values: readonly unknown[]): string =>
  `Literal[${values.map((one) => words[String(one)] ?? JSON.stringify(one)).join(', ')}]`;

/** The classes of Python that schemas become: one for each object with members, named by where it stands. */
class Classes {
  private readonly texts: string[] = [];
  private readonly aliases: string[] = [];
  private readonly taken = new Set<string>();

  constructor(names: readonly string[]) {
    for (const name of names) this.taken.add(name);
  }

  get text(): string {
    return [...this.texts, ...this.aliases].join('\n\n');
  }

  /** A schema with a name of its own. */
  add(name: string, schema: ApiSchema): void {
    if (schema.properties === undefined) this.aliases.push(`${name}: TypeAlias = "${this.typeOf(schema, name)}"\n`);
    else this.addObject(name, schema);
  }

  private addObject(name: string, { properties = {}, required = [], description }: ApiSchema): void {
    const members = Object.entries(properties).map(([member, schema]) => {
      const type = this.typeOf(schema, name + inName(member));
      return { member, type: required.includes(member) ? type : `NotRequired[${type}]`, about: schema['description'] };
    });
    if (members.some(({ member }) => keywords.has(member))) {
      const entries = members.map(({ member, type }) => `        "${member}": ${quoted(type)},\n`).join('');
      this.texts.push(`${name} = TypedDict(\n    "${name}",\n    {\n${entries}    },\n)\n`);
      return;
    }
    const lines = members.flatMap(({ member, type, about }) => [
      `    ${member}: ${type}`,
      ...(typeof about === 'string' ? [`    ${docstring(about)}`] : []),
    ]);
    const about = typeof description === 'string' ? [`    ${docstring(description)}`, ''] : [];
    const body = [...about, ...lines];
    this.texts.push(`class ${name}(TypedDict):\n${(body.length === 0 ? ['    pass'] : body).join('\n')}\n`);
  }

  /** @param name of the class where it has to be one */
  private typeOf(schema: ApiSchema, name: string): string {
    const { $ref, type, anyOf } = schema;
    if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'Any';
    const values = schema.enum ?? ('const' in schema ? [schema['const']] : undefined);
    if (values !== undefined) return literal(values);
    if (anyOf !== undefined) return union(anyOf.map((choice) => this.typeOf(choice, name)));
    const types = [type ?? ''].flat();
    return union(types.map((one) => this.plainType(one, schema, name)));
  }

  private plainType(type: string, schema: ApiSchema, name: string): string {
    if (type === 'array' && schema.items !== undefined) return `list[${this.typeOf(schema.items, name)}]`;
    if (type === 'object') return this.objectType(schema, name);
    return scalars[type] ?? 'Any';
  }

  private objectType(schema: ApiSchema, name: string): string {
    const { properties, additionalProperties } = schema;
    if (properties === undefined || Object.keys(properties).length === 0)
      return typeof additionalProperties === 'object'
        ? `dict[str, ${this.typeOf(additionalProperties, name)}]`
        : 'dict[str, Any]';
    const free = this.freeName(name);
    this.addObject(free, schema);
    return free;
  }

  private freeName(name: string): string {
    let free = name;
    for (let count = 2; this.taken.has(free); count += 1) free = `${name}${count}`;
    this.taken.add(free);
    return free;
  }
}

/** Entries of a call of TypedDict are read when the file is loaded, when the classes that they name may not be there yet. */
const quoted = (type: string): string => {
  const inner = /^NotRequired\[(.*)\]$/.exec(type)?.[1];
  return inner === undefined ? `'${type}'` : `NotRequired['${inner}']`;
};

/** The parameters of an operation as a schema with a name; none where it has none. */
const queryOf = ({ operationId = '', parameters = [] }: ApiOperation): readonly (readonly [string, ApiSchema])[] => {
  const own = parameters.filter((one) => one.in === 'query');
  const members = own.map(({ name, schema = {}, description = '' }) => [name, { ...schema, description }] as const);
  const schema = { type: 'object', properties: Object.fromEntries(members) };
  return own.length === 0 ? [] : [[`${inName(operationId)}Query`, schema]];
};

/** Types for Python of all that a gateway is sent and answers: a TypedDict for each schema, and one for the parameters of each operation. */
export const pythonModels = ({ components: { schemas }, paths }: ApiDocument): string => {
  const operations = Object.values(paths).flatMap((all) => Object.values(all));
  const all = [...Object.entries(schemas), ...operations.flatMap(queryOf)];
  const classes = new Classes(all.map(([name]) => name));
  for (const [name, schema] of all) classes.add(name, schema);
  return `${header}\n\n${classes.text}`;
};
