/** As much of a JSON schema as the OpenAPI document has. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: ApiSchema;
  readonly additionalProperties?: boolean | ApiSchema;
  readonly anyOf?: readonly ApiSchema[];
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

interface ApiContent {
  readonly content?: Readonly<Record<string, { readonly schema?: ApiSchema }>>;
}

interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: ApiSchema;
}

export interface ApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: ApiContent & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, ApiContent & { readonly description?: string }>>;
  readonly 'x-requires'?: string;
}

/** As much of an OpenAPI document as the gateway's has. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> };
}

/** Who writes a value: a client sends it, or it is answered. */
type Direction = 'sent' | 'answered';

/** Keywords that say what values are allowed; another one may allow less. */
const lowerBounds = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const upperBounds = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/** Compares one schema with its successor, through all that it refers to. */
class SchemaComparison {
  private readonly seen = new Set<string>();
  readonly found: string[] = [];

  constructor(
    private readonly before: ApiDocument,
    private readonly after: ApiDocument,
    private readonly direction: Direction,
  ) {}

  compare(where: string, before: ApiSchema, after: ApiSchema): void {
    const pair = `${before.$ref ?? ''} ${after.$ref ?? ''}`;
    if (before.$ref !== undefined || after.$ref !== undefined) {
      if (this.seen.has(pair)) return;
      this.seen.add(pair);
    }
    const name = before.$ref?.split('/').at(-1);
    const [one, other] = [resolved(this.before, before), resolved(this.after, after)];
    this.compareResolved(name ?? where, one, other);
  }

  private compareResolved(where: string, before: ApiSchema, after: ApiSchema): void {
    if (JSON.stringify(before.type) !== JSON.stringify(after.type)) {
      this.found.push(`${where} was ${JSON.stringify(before.type)} and is ${JSON.stringify(after.type)}`);
      return;
    }
    this.compareValues(where, before, after);
    this.compareMembers(where, before, after);
    if (before.items !== undefined && after.items !== undefined) this.compare(`${where}[]`, before.items, after.items);
    for (const [index, choice] of (before.anyOf ?? []).entries()) {
      const successor = after.anyOf?.[index];
      if (successor === undefined) this.found.push(`${where} has fewer forms`);
      else this.compare(where, choice, successor);
    }
    const [one, other] = [before.additionalProperties, after.additionalProperties];
    if (typeof one === 'object' && typeof other === 'object') this.compare(`${where}.*`, one, other);
  }

  private compareValues(where: string, before: ApiSchema, after: ApiSchema): void {
    if (this.direction === 'answered') return;
    this.compareChoices(where, before.enum, after.enum);
    if (after['pattern'] !== undefined && after['pattern'] !== before['pattern'])
      this.found.push(`${where} has another pattern`);
    if (lowerBounds.some((bound) => numberOf(after[bound], -Infinity) > numberOf(before[bound], -Infinity)))
      this.found.push(`${where} has a higher lower bound`);
    if (upperBounds.some((bound) => numberOf(after[bound], Infinity) < numberOf(before[bound], Infinity)))
      this.found.push(`${where} has a lower upper bound`);
  }

  private compareChoices(where: string, before: ApiSchema['enum'], after: ApiSchema['enum']): void {
    if (after === undefined) return;
    if (before === undefined) this.found.push(`${where} may be anything no more`);
    const refused = (before ?? []).filter((value) => !after.includes(value));
    if (refused.length > 0) this.found.push(`${where} may be ${refused.join(', ')} no more`);
  }

  private compareMembers(where: string, before: ApiSchema, after: ApiSchema): void {
    const { properties: successors } = after;
    if (successors === undefined) return;
    for (const [member, schema] of Object.entries(before.properties ?? {})) {
      const successor = successors[member];
      if (successor !== undefined) this.compare(`${where}.${member}`, schema, successor);
      else this.found.push(`${where}.${member} is gone`);
    }
    this.compareRequired(where, before.required ?? [], after.required ?? [], successors);
  }

  private compareRequired(
    where: string,
    was: readonly string[],
    is: readonly string[],
    members: Readonly<Record<string, ApiSchema>>,
  ): void {
    const added = is.filter((name) => !was.includes(name)).map((name) => `${where}.${name} is required now`);
    const left = was.filter((name) => !is.includes(name) && name in members);
    const absent = left.map((name) => `${where}.${name} may be absent now`);
    this.found.push(...(this.direction === 'sent' ? added : absent));
  }
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

const resolved = (document: ApiDocument, schema: ApiSchema): ApiSchema => {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
};

const parameterChanges = (before: ApiOperation, after: ApiOperation): readonly string[] => {
  const key = ({ name, in: place }: ApiParameter): string => `${place} parameter ${name}`;
  const was = new Map((before.parameters ?? []).map((one) => [key(one), one]));
  const is = new Map((after.parameters ?? []).map((one) => [key(one), one]));
  const gone = [...was.keys()].filter((one) => !is.has(one)).map((one) => `${one} is gone`);
  const demanded = [...is]
    .filter(([one, { required }]) => required === true && was.get(one)?.required !== true)
    .map(([one]) => `${one} is required now`);
  return [...gone, ...demanded];
};

/** Schemas of both at the places where they have one, with the name of the place. */
const bodiesOf = (
  before: ApiContent | undefined,
  after: ApiContent | undefined,
): readonly (readonly [media: string, before: ApiSchema, after: ApiSchema | undefined])[] =>
  Object.entries(before?.content ?? {}).map(([media, { schema = {} }]) => [
    media,
    schema,
    after?.content?.[media] === undefined ? undefined : (after.content[media].schema ?? {}),
  ]);

const contentChanges = (
  documents: readonly [ApiDocument, ApiDocument],
  direction: Direction,
  what: string,
  contents: readonly [ApiContent | undefined, ApiContent | undefined],
): readonly string[] => {
  const comparison = new SchemaComparison(...documents, direction);
  const gone: string[] = [];
  for (const [media, one, other] of bodiesOf(...contents))
    if (other === undefined) gone.push(`${what} is no ${media} any more`);
    else comparison.compare(what, one, other);
  return [...gone, ...comparison.found];
};

const operationChanges = (
  documents: readonly [ApiDocument, ApiDocument],
  before: ApiOperation,
  after: ApiOperation,
): readonly string[] => {
  const successes = Object.keys(before.responses).filter((status) => status.startsWith('2'));
  return [
    ...(before.operationId === after.operationId ? [] : [`it is called ${String(after.operationId)} now`]),
    ...parameterChanges(before, after),
    ...(after.requestBody?.required === true && before.requestBody?.required !== true ? ['it wants a body now'] : []),
    ...contentChanges(documents, 'sent', 'the body', [before.requestBody, after.requestBody]),
    ...successes.flatMap((status) =>
      after.responses[status] === undefined
        ? [`it answers ${status} no more`]
        : contentChanges(documents, 'answered', 'the answer', [before.responses[status], after.responses[status]]),
    ),
  ];
};

/**
 * What a client of the one description may meet at a gateway of the other that it does not expect: an address, a parameter or a member that is
 * gone, something that is required now, values that are refused now. What is added breaks nobody: members of answers that are not known
 * are passed over.
 */
export const breakingChanges = (before: ApiDocument, after: ApiDocument): readonly string[] =>
  Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const successor = after.paths[path]?.[method];
      const address = `${method.toUpperCase()} ${path}`;
      if (successor === undefined) return [`${address} is gone`];
      return operationChanges([before, after], operation, successor).map((change) => `${address}: ${change}`);
    }),
  );
