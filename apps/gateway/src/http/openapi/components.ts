import type { JsonSchema } from '@fleet/contracts/schema';

const referenceTo = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

interface Component {
  readonly examples?: readonly object[];
  readonly properties?: Readonly<Record<string, object>>;
}

/** Schemas in OpenAPI form: one with a title becomes a component, which others reference. */
export class Components {
  private readonly made = new Map<string, Component>();

  /** The components so far, by name. */
  get all(): Readonly<Record<string, Component>> {
    return Object.fromEntries([...this.made].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Adds or replaces a component unchanged. */
  set(name: string, component: Component): void {
    this.made.set(name, component);
  }

  /**
   * A schema inline, or a reference if it has a title.
   * @throws Error if two different schemas have the same title
   */
  use({ title, ...schema }: JsonSchema): object {
    if (title === undefined) return this.written(schema);
    // A title without a schema references a component that was set unchanged.
    if (Object.keys(schema).length > 0) this.add(title, this.written(schema));
    return referenceTo(title);
  }

  private add(title: string, component: Component): void {
    const known = this.made.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`two schemas that differ are called ${title}`);
    this.made.set(title, component);
  }

  /** API responses contain only the named members. */
  private written({ properties, items, additionalProperties, ...schema }: JsonSchema): Component {
    return {
      ...schema,
      ...(properties !== undefined && { properties: this.members(properties), additionalProperties: false }),
      ...(items !== undefined && { items: this.use(items) }),
      ...(additionalProperties !== undefined && {
        additionalProperties:
          typeof additionalProperties === 'object' ? this.use(additionalProperties) : additionalProperties,
      }),
    };
  }

  private members(all: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, object>> {
    return Object.fromEntries(Object.entries(all).map(([name, member]) => [name, this.use(member)]));
  }
}

/** A component whose `code` is one of these. */
export const withCodes = ({ properties, ...component }: Component, codes: readonly string[]): Component => ({
  ...component,
  properties: { ...properties, code: { type: 'string', description: `one of ${codes.join(', ')}, or a fault's own` } },
});
