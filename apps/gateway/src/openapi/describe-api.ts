import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { administrationSchemas } from './administration-schemas';
import { decisionSchemas } from './decision-schemas';
import { directiveSchemas } from './directive-schemas';
import { serviceSchemas } from './service-schemas';
import { sessionSchemas } from './session-schemas';

const about = `Submits datasets to the PHENIX AI agent's loop and shows them on their way.

Every error is \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`problems\` lists everything that is wrong at once.`;

/** The API's description, made from the controllers and from the types they answer with. */
const apiDocument = (app: NestFastifyApplication): OpenAPIObject => {
  const base = new DocumentBuilder()
    .setTitle('phenix-fleet')
    .setDescription(about)
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .build();
  const document = SwaggerModule.createDocument(app, base);
  // The schemas are checked against the types by the compiler and against real answers by a test.
  const schemas = {
    ...administrationSchemas,
    ...decisionSchemas,
    ...directiveSchemas,
    ...sessionSchemas,
    ...serviceSchemas,
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
