import type { Route } from '@fleet/contracts/route';
import type { JsonSchema } from '@fleet/contracts/schema';
import { problemDetailsSchema } from '@fleet/contracts/sessions';
import { problemMediaType } from '../errors/problem-details';
import type { Components } from './components';

const json = 'application/json';

/**
 * Every route may also answer 400 (invalid input), 401 and 403 (access), 421 (unknown host), 429 (rate limit), 500 and
 * 503.
 */
const commonErrors = [400, 401, 403, 421, 429, 500, 503];
/** Routes that may have a body. */
const errorsOfBodies = [413, 415];
const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Path parameters, in the terms of their group. */
const partsOf = (path: string): Readonly<Record<string, string>> => ({
  id: path.startsWith('/v1/sessions/')
    ? 'session id, the first four or more characters of it, or the exact title'
    : 'its id',
  cycle: 'the number of a cycle',
});

const parameter = (where: string, name: string, required: boolean, schema: JsonSchema): object => {
  const { description = '', ...rest } = schema;
  return { name, in: where, required, description, schema: rest };
};

const parametersOf = ({ path, parameters = {}, query = {}, headers = {} }: Route): readonly object[] => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    parameter('path', name, true, { type: 'string', description: partsOf(path)[name] ?? '', ...parameters[name] }),
  ),
  ...Object.entries(query).map(([name, schema]) => parameter('query', name, false, schema)),
  ...Object.entries(headers).map(([name, { description, required = false }]) =>
    parameter('header', name, required, { type: 'string', description }),
  ),
];

const contentOf = (types: Readonly<Record<string, object>>): object => ({
  content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])),
});

const bodyOf = ({ body, bodyMayBeAbsent, rawBody = [] }: Route, components: Components): object => {
  if (body !== undefined)
    return { requestBody: { required: bodyMayBeAbsent !== true, ...contentOf({ [json]: components.use(body) }) } };
  if (rawBody.length === 0) return {};
  const types = Object.fromEntries(rawBody.map((type) => [type, { type: 'string' }]));
  return { requestBody: { required: true, ...contentOf(types) } };
};

const successOf = ({ summary, answer, media, answerHeaders = {} }: Route, components: Components): object => {
  const types = {
    ...(media !== undefined && { [media]: { type: 'string' } }),
    ...(answer !== undefined && { [json]: components.use(answer) }),
  };
  const headers = Object.entries(answerHeaders).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: summary,
    ...(Object.keys(types).length > 0 && contentOf(types)),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) as object }),
  };
};

const responsesOf = (route: Route, components: Components): object => {
  const problem = {
    description: 'problem+json',
    ...contentOf({ [problemMediaType]: components.use(problemDetailsSchema) }),
  };
  const errors = [
    ...commonErrors,
    ...(reading.includes(route.method) ? [] : errorsOfBodies),
    ...(route.errors ?? []),
  ].map((status): readonly [number, object] => [status, problem]);
  const others = Object.entries(route.otherAnswers ?? {}).map(([status, { description, answer }]) => [
    status,
    { description, ...(answer !== undefined && contentOf({ [json]: components.use(answer) })) },
  ]);
  return Object.fromEntries([...errors, [route.status ?? 200, successOf(route, components)], ...others]) as object;
};

/** A route in the OpenAPI document, without its name. */
export const operationOf = (route: Route, components: Components): object => {
  for (const message of route.messages ?? []) components.use(message);
  for (const [name, component] of Object.entries(route.components ?? {})) components.set(name, component);
  const { summary, description, permission } = route;
  return {
    summary,
    ...(description !== undefined && { description }),
    parameters: parametersOf(route),
    ...bodyOf(route, components),
    responses: responsesOf(route, components),
    'x-requires': permission,
  };
};
