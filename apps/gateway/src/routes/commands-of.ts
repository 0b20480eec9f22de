import type { FactoryProvider, InjectionToken, Provider, Type } from '@nestjs/common';

/** Source of a port: an injection token, a part of a provider, or a value. */
type PortSource<T> =
  InjectionToken | { readonly from: InjectionToken; readonly pick: (provided: never) => T } | { readonly value: T };

const isValue = (source: PortSource<unknown>): source is { readonly value: unknown } =>
  typeof source === 'object' && 'value' in source;

const tokenOf = (source: PortSource<unknown>): InjectionToken =>
  typeof source === 'object' && 'from' in source ? source.from : (source as InjectionToken);

const portIn = (source: PortSource<unknown>, provided: unknown): unknown =>
  typeof source === 'object' && 'pick' in source ? (source.pick as (all: unknown) => unknown)(provided) : provided;

/** The ports of application-tier commands in a gateway. */
export const portsOf = <P extends object>(sources: {
  readonly [Name in keyof P]-?: PortSource<P[Name]>;
}): FactoryProvider<P> => {
  const all = Object.entries<PortSource<unknown>>(sources);
  const values = all.flatMap(([name, source]) => (isValue(source) ? [[name, source.value]] : []));
  const injected = all.filter(([, source]) => !isValue(source));
  return {
    provide: Symbol('Ports'),
    inject: injected.map(([, source]) => tokenOf(source)),
    useFactory: (...provided: readonly unknown[]) =>
      Object.fromEntries([
        ...values,
        ...injected.map(([name, source], index) => [name, portIn(source, provided[index])]),
      ]) as P,
  };
};

/** Application-tier commands, by class: each is created with its ports. */
export const commandsOf = <P>(
  ports: Type<P> | FactoryProvider<P>,
  commands: readonly (new (ports: P) => object)[],
): readonly Provider[] => [
  ports,
  ...commands.map((command) => ({
    provide: command,
    inject: ['useFactory' in ports ? ports.provide : ports],
    useFactory: (made: P) => new command(made),
  })),
];
