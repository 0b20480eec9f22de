import { nearestName } from '@fleet/contracts/schema';
import type { ConfigProblem } from './config.error';
import type { Environment } from './read-variable';
import type { VariableDefinition } from './variable.decorator';

/** Kubernetes sets these for every Service of the namespace; a Service called `fleet-x` makes FLEET_X_... */
const serviceLinkName = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?$/;
const serviceLinkValue = /^(tcp|udp):\/\//;

/** FLEET_TEST_... and FLEET_BENCH_... belong to the tests and the benchmarks. */
const reserved = /^FLEET_(TEST|BENCH)_/;

/** Unknown FLEET_ variables: most are typing errors, which would otherwise have no effect. */
export const unknownVariables = (env: Environment, definitions: readonly VariableDefinition[]): ConfigProblem[] => {
  const known = definitions.flatMap(({ variable, secret }) => (secret ? [variable, `${variable}_FILE`] : [variable]));
  return Object.keys(env)
    .filter((name) => name.startsWith('FLEET_') && !known.includes(name) && !reserved.test(name))
    .filter((name) => !serviceLinkName.test(name) && !serviceLinkValue.test(env[name] ?? ''))
    .sort()
    .map((variable) => ({ variable, reason: reasonOf(nearestName(variable, known)) }));
};

const reasonOf = (near: string | undefined): string =>
  near === undefined ? 'is not known' : `is not known; the nearest is ${near}`;
