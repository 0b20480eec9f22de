import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NamedRoute } from '@fleet/contracts/route';
import { problemCodes } from '@fleet/problems';
import { errorCatalogue } from '../errors/error-catalogue';
import { routeOf } from '../handles.decorator';
import { Components, withCodes } from './components';
import { operationOf } from './operation';

const about = `Submits datasets to the loop of the PHENIX AI Agent and reports their progress.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`problems\` lists all problems at once.`;

/** Groups of routes with their topic and path prefix. Other paths belong to the service group. */
const groups = [
  {
    name: 'sessions',
    description: 'one dataset, solved cycle by cycle',
    path: /^\/v1\/(sessions|counts|wall|events|recoveries|uploads)/,
  },
  { name: 'batches', description: 'many datasets in one manifest', path: /^\/v1\/batches/ },
  {
    name: 'decisions',
    description: 'previews: what a submission or advice would do; nothing is stored',
    path: /^\/(api\/v2|v1\/advice|v1\/submissions)\//,
  },
  { name: 'administration', description: 'for administrators', path: /^\/v1\/admin/ },
  { name: 'service', description: "capabilities, the caller's identity, and health", path: /^/ },
] as const;

const tagOf = (path: string): string | undefined => groups.find((one) => one.path.test(path))?.name;

/** The routes handled by an application's controllers, in order. */
const handledRoutes = (app: NestFastifyApplication): readonly NamedRoute[] =>
  [...app.get(ModulesContainer, { strict: false }).values()]
    .flatMap(({ controllers }) => [...controllers.values()])
    .flatMap(({ metatype }) => Object.values(Object.getOwnPropertyDescriptors(metatype?.prototype ?? {})))
    .flatMap(({ value }: { readonly value?: unknown }) => (typeof value === 'function' ? (routeOf(value) ?? []) : []));

/** The OpenAPI document of these routes. */
const apiDocument = (routes: readonly NamedRoute[]): OpenAPIObject => {
  const components = new Components();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const { path, method, operationId } = route;
    const operation = { operationId, tags: [tagOf(path)], ...operationOf(route, components) };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }
  const { FieldProblem = {}, Problem = {} } = components.all;
  components.set('FieldProblem', withCodes(FieldProblem, problemCodes));
  components.set('Problem', withCodes(Problem, Object.keys(errorCatalogue)));
  for (const { body, examples } of routes) {
    const component = components.all[body?.title ?? ''];
    if (body?.title !== undefined && examples !== undefined) components.set(body.title, { ...component, examples });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'phenix-fleet',
      description: about,
      version: '1',
      contact: {},
      license: { name: 'BSD-3-Clause', url: 'https://opensource.org/license/bsd-3-clause' },
    },
    servers: [{ url: '.', description: 'the gateway that serves this document' }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'an API key, if access control is on' },
      },
      schemas: components.all,
    },
  };
};

/** Serves the OpenAPI document: a page at /docs, the document at /docs-json. */
export const describeApi = (app: NestFastifyApplication): void =>
  SwaggerModule.setup('docs', app, () => apiDocument(handledRoutes(app)), {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
  });
