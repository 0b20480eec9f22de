import type { JsonSchema } from '@fleet/contracts/schema';

const referenceTo = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

interface Component {
  readonly examples?: readonly object[];
  readonly properties?: Readonly<Record<string, object>>;
}

/** Schemas as OpenAPI has them: one with a title is a component, to which others refer. */
export class Components {
  private readonly made = new Map<string, Component>();

  /** The components so far, by name. */
  get all(): Readonly<Record<string, Component>> {
    return Object.fromEntries([...this.made].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Adds or replaces a component as it stands. */
  set(name: string, component: Component): void {
    this.made.set(name, component);
  }

  /**
   * A schema where it stands: a reference where it has a title.
   * @throws Error when two schemas that differ have the same title
   */
  use({ title, ...schema }: JsonSchema): object {
    if (title === undefined) return this.written(schema);
    // A title and nothing else names a component that is set as it stands.
    if (Object.keys(schema).length > 0) this.add(title, this.written(schema));
    return referenceTo(title);
  }

  private add(title: string, component: Component): void {
    const known = this.made.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`two schemas that differ are called ${title}`);
    this.made.set(title, component);
  }

  /** What the API answers holds the members that are named and no others. */
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
