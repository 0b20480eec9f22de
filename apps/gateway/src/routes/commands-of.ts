import { provided } from '@fleet/wiring';
import type { FactoryProvider, Provider, Type } from '@nestjs/common';

/** Application-tier commands, by class: each is created with its ports. */
export const commandsOf = <P>(
  ports: Type<P> | FactoryProvider<P>,
  commands: readonly (new (ports: P) => object)[],
): readonly Provider[] => [
  ports,
  ...commands.map((command) => provided(command, 'useFactory' in ports ? ports.provide : ports)),
];
