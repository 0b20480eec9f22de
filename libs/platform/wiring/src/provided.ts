import type { FactoryProvider, InjectionToken } from '@nestjs/common';

/** What an object consists of: members by their tokens, and constants. */
const madeOfMembers = (
  tokens: Readonly<Record<string, InjectionToken>>,
  constants: object | undefined,
): { readonly inject: InjectionToken[]; readonly useFactory: (...made: readonly unknown[]) => object } => ({
  inject: Object.values(tokens),
  useFactory: (...made) => ({
    ...constants,
    ...Object.fromEntries(Object.keys(tokens).map((name, index) => [name, made[index]])),
  }),
});

/**
 * A class as a provider of itself.
 * @param tokens of its constructor's arguments, in order
 */
export const provided = <Arguments extends readonly unknown[]>(
  kind: new (...made: Arguments) => object,
  ...tokens: { readonly [Index in keyof Arguments]: InjectionToken }
): FactoryProvider => ({
  provide: kind,
  inject: [...tokens],
  useFactory: (...made: Arguments) => new kind(...made),
});

/**
 * A class as a provider of itself, whose constructor takes one object.
 * @param tokens of the object's members
 * @param constants members that are not providers
 */
export const providedWith = <Dependencies extends object, Constants extends Partial<Dependencies> = object>(
  kind: new (dependencies: Dependencies) => object,
  tokens: { readonly [Name in Exclude<keyof Dependencies, keyof Constants>]: InjectionToken },
  constants?: Constants,
): FactoryProvider => {
  const { inject, useFactory } = madeOfMembers(tokens, constants);
  // The types of `tokens` and `constants` together require all members.
  return { provide: kind, inject, useFactory: (...made: unknown[]) => new kind(useFactory(...made) as Dependencies) };
};

/**
 * An object as a provider, under a token of its own.
 * @param tokens of its members
 * @param constants members that are not providers, by the names in `Constant`
 */
export const providedObject = <Whole extends object, Constant extends keyof Whole = never>(
  tokens: { readonly [Name in Exclude<keyof Whole, Constant>]-?: InjectionToken },
  ...[constants]: [Constant] extends [never] ? [] : [constants: Pick<Whole, Constant>]
): FactoryProvider<Whole> => ({
  provide: Symbol('Object'),
  // The types of `tokens` and `constants` together require all members.
  ...(madeOfMembers(tokens, constants) as Omit<FactoryProvider<Whole>, 'provide'>),
});
