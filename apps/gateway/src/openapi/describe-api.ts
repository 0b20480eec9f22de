import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { errorCatalogue, problemCodes } from '../errors/error-catalogue';
import { componentsOf, withCodes } from './components';
import { decisionSchemas } from './decision-schemas';
import { requestExamples } from './examples';
import { namedSchemas } from './named-schemas';

const about = `Submits datasets to the loop of the PHENIX AI Agent and reports their progress.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`problems\` lists all problems at once.`;

/** Groups of addresses: what each is about, and how its paths begin. What begins in no such way is of the service. */
const groups = [
  {
    name: 'sessions',
    description: 'a dataset on its way through the loop',
    path: /^\/v1\/(sessions|counts|wall|events|recoveries|uploads)/,
  },
  { name: 'batches', description: 'many datasets in one manifest', path: /^\/v1\/batches/ },
  {
    name: 'decisions',
    description: 'what would be done, and how words are read; nothing is kept',
    path: /^\/(api\/v2|v1\/advice|v1\/submissions)\//,
  },
  { name: 'administration', description: 'for administrators', path: /^\/v1\/admin/ },
  { name: 'service', description: 'what the service offers, who somebody is to it, and its health', path: /^/ },
] as const;

/** `submit` of `SessionsController` is `sessions_submit`: what clients that are made from the description call it. */
const operationIdOf = (controller: string, method: string): string =>
  `${controller.charAt(0).toLowerCase()}${controller.slice(1).replace(/Controller$/, '')}_${method}`;

/** Parts of addresses, in the words of their group. */
const partsOf = (path: string): Readonly<Record<string, string>> => ({
  id: path.startsWith('/v1/sessions/')
    ? 'the id of a session, the beginning of it (from four characters on) or its whole title'
    : 'its id',
  cycle: 'the number of a cycle',
});

interface Described {
  tags?: string[];
  parameters?: { readonly name: string; readonly in: string; readonly description?: string }[];
}

/** Says of each address to which group it belongs, and of each part of it what it is. */
const completed = (paths: OpenAPIObject['paths']): OpenAPIObject['paths'] => {
  for (const [path, operations] of Object.entries(paths)) {
    const group = groups.find((one) => one.path.test(path));
    const parts = partsOf(path);
    for (const operation of Object.values(operations as Readonly<Record<string, Described>>)) {
      operation.tags = group === undefined ? [] : [group.name];
      // What the framework calls `*` is described under the name that the address has for it.
      operation.parameters = (operation.parameters ?? [])
        .filter(({ name }) => name !== '*')
        .map((one) => (one.in === 'path' ? { description: parts[one.name] ?? '', ...one } : one));
    }
  }
  return paths;
};

const withExamples = <T extends object>(components: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(components).map(([name, component]) => {
      const examples = requestExamples[name];
      return [name, examples === undefined ? component : { ...component, examples }];
    }),
  );

/** The API's description, made from the controllers and from the types they answer with. */
const apiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const base = new DocumentBuilder()
    .setTitle('phenix-fleet')
    .setDescription(about)
    .setVersion('1')
    .setLicense('BSD-3-Clause', 'https://opensource.org/license/bsd-3-clause')
    .addServer('.', 'the gateway that gives this description')
    .setOpenAPIVersion('3.1.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'a key, where the gateway has keys' }, 'key')
    .addSecurityRequirements('key');
  for (const { name, description } of groups) base.addTag(name, description);
  const document = SwaggerModule.createDocument(app, base.build(), { operationIdFactory: operationIdOf });
  const components = componentsOf(namedSchemas);
  // Made from what records are read with; a test checks them against real answers.
  const schemas = withExamples<object>({
    ...components,
    FieldProblem: withCodes(components.FieldProblem ?? {}, problemCodes),
    Problem: withCodes(components.Problem ?? {}, Object.keys(errorCatalogue)),
    ...decisionSchemas,
  }) as NonNullable<OpenAPIObject['components']>['schemas'];
  return {
    ...document,
    paths: completed(document.paths),
    components: { ...document.components, ...(schemas !== undefined && { schemas }) },
  };
};

/** Serves the description: a page at /docs, the document at /docs-json. */
export const describeApi = (app: NestFastifyApplication): void => {
  SwaggerModule.setup('docs', app, () => apiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
  });
};
