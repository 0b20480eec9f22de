import type { FactoryProvider, InjectionToken } from '@nestjs/common';

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
 * @param known members that are not providers
 */
export const providedWith = <Dependencies extends object, Known extends Partial<Dependencies> = object>(
  kind: new (dependencies: Dependencies) => object,
  tokens: { readonly [Name in Exclude<keyof Dependencies, keyof Known>]: InjectionToken },
  known?: Known,
): FactoryProvider => {
  const names = Object.keys(tokens);
  return {
    provide: kind,
    inject: Object.values(tokens),
    useFactory: (...made: readonly unknown[]) =>
      // The types of `tokens` and `known` guarantee that together they are all members.
      new kind({ ...known, ...Object.fromEntries(names.map((name, index) => [name, made[index]])) } as Dependencies),
  };
};
