import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { errorCatalogue, problemCodes } from '../errors/error-catalogue';
import { componentsOf, withCodes } from './components';
import { decisionSchemas } from './decision-schemas';
import { namedSchemas } from './named-schemas';

const about = `Submits datasets to the loop of the PHENIX AI Agent and reports their progress.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`problems\` lists all problems at once.`;

/** The API's description, made from the controllers and from the types they answer with. */
const apiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const base = new DocumentBuilder()
    .setTitle('phenix-fleet')
    .setDescription(about)
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'a key, where the gateway has keys' }, 'key')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, base);
  const components = componentsOf(namedSchemas);
  // Made from what records are read with; a test checks them against real answers.
  const schemas = {
    ...components,
    FieldProblem: withCodes(components.FieldProblem ?? {}, problemCodes),
    Problem: withCodes(components.Problem ?? {}, Object.keys(errorCatalogue)),
    ...decisionSchemas,
  } as NonNullable<OpenAPIObject['components']>['schemas'];
  return { ...document, components: { ...document.components, ...(schemas !== undefined && { schemas }) } };
};

/** Serves the description: a page at /docs, the document at /docs-json. */
export const describeApi = (app: NestFastifyApplication): void => {
  SwaggerModule.setup('docs', app, () => apiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    yamlDocumentUrl: 'docs-yaml',
  });
};
