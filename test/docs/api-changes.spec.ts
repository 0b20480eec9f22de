import { breakingChanges, type ApiDocument, type ApiOperation, type ApiSchema } from './api-changes';

const sent: ApiSchema = {
  type: 'object',
  properties: { files: { type: 'array', maxItems: 5 }, mode: { type: 'string', enum: ['a', 'b'] } },
  required: ['files'],
};
const answered: ApiSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, next: { $ref: '#/components/schemas/Answered' } },
  required: ['id'],
};

const operation: ApiOperation = {
  operationId: 'things_make',
  parameters: [{ name: 'limit', in: 'query', required: false }],
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Sent' } } } },
  responses: { '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answered' } } } } },
};

const document = (changed: Partial<ApiOperation> = {}, schemas: Record<string, ApiSchema> = {}): ApiDocument => ({
  paths: { '/v1/things': { post: { ...operation, ...changed } } },
  components: { schemas: { Sent: sent, Answered: answered, ...schemas } },
});

const changesTo = (after: ApiDocument): readonly string[] =>
  breakingChanges(document(), after).map((change) => change.replace('POST /v1/things: ', ''));

describe('a breaking change', () => {
  it('is not an addition', () => {
    const more = document(
      { parameters: [...(operation.parameters ?? []), { name: 'sort', in: 'query' }] },
      {
        Sent: { ...sent, properties: { ...sent.properties, title: { type: 'string' } } },
        Answered: {
          ...answered,
          properties: { ...answered.properties, at: { type: 'string' } },
          required: ['id', 'at'],
        },
      },
    );
    expect(breakingChanges(document(), { ...more, paths: { ...more.paths, '/v1/more': {} } })).toEqual([]);
  });

  it.each<[string, ApiDocument]>([
    ['query parameter limit is gone', document({ parameters: [] })],
    [
      'query parameter to is required now',
      document({ parameters: [...(operation.parameters ?? []), { name: 'to', in: 'query', required: true }] }),
    ],
    ['it answers 201 no more', document({ responses: { '202': {} } })],
    ['it is called things_do now', document({ operationId: 'things_do' })],
    ['Sent.mode is required now', document({}, { Sent: { ...sent, required: ['files', 'mode'] } })],
    [
      'Sent.mode may be b no more',
      document({}, { Sent: { ...sent, properties: { ...sent.properties, mode: { type: 'string', enum: ['a'] } } } }),
    ],
    [
      'Sent.files has a lower upper bound',
      document({}, { Sent: { ...sent, properties: { ...sent.properties, files: { type: 'array', maxItems: 4 } } } }),
    ],
    ['Sent.mode is gone', document({}, { Sent: { ...sent, properties: { files: { type: 'array', maxItems: 5 } } } })],
    ['Answered.next is gone', document({}, { Answered: { ...answered, properties: { id: { type: 'string' } } } })],
    ['Answered.id may be absent now', document({}, { Answered: { ...answered, required: [] } })],
    [
      'Answered.id was "string" and is "integer"',
      document({}, { Answered: { ...answered, properties: { ...answered.properties, id: { type: 'integer' } } } }),
    ],
  ])('is: %s', (change, after) => {
    expect(changesTo(after)).toEqual([change]);
  });

  it('is a removed path', () => {
    expect(breakingChanges(document(), { ...document(), paths: {} })).toEqual(['POST /v1/things is gone']);
  });
});
