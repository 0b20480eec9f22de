import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { format, resolveConfig } from 'prettier';
import { breakingChanges, type ApiDocument, type ApiOperation } from './api-changes';
import { describedApi } from './described-api';
import { pythonModels } from './python-models';
import { expectFile } from './generated-page';

const root = join(__dirname, '../..');
const page = join(root, 'docs/reference/openapi.json');

/** What somebody does who meets a change that breaks clients. */
const whatToDo =
  'Clients that were made from docs/reference/openapi.json would break. Keep what was there beside what is new, or, where it must go, say so in ' +
  'CHANGELOG.md and write the document with FLEET_WRITE_DOCS=1 FLEET_API_MAY_BREAK=1';

interface Named {
  readonly address: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

const operationsOf = ({ paths }: ApiDocument): readonly Named[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      address: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );

/** What is wrong with the parts of an address and its parameters. */
const mistakesInParameters = ({ path, operation: { parameters = [] } }: Named): readonly string[] => {
  const described = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...parameters.filter(({ description = '' }) => description === '').map(({ name }) => `${name} is not described`),
    ...inPath.filter((name) => !described.includes(name)).map((name) => `{${name}} is no parameter`),
  ];
};

/** What is wrong with the description of an address; nothing where all rules are kept. */
const mistakesOf = (named: Named, tags: ReadonlySet<string>): readonly string[] => {
  const { operationId = '', summary = '', responses, tags: own = [] } = named.operation;
  const statuses = Object.keys(responses);
  return [
    ...mistakesInParameters(named),
    ...(/^[a-z][A-Za-z]*_[a-z][A-Za-z]*$/.test(operationId) ? [] : [`its operationId is "${operationId}"`]),
    ...(own.some((tag) => tags.has(tag)) ? [] : ['it has no tag that is described']),
    ...(/^[A-Z].*[^.]$/.test(summary) ? [] : [`its summary is "${summary}"`]),
    ...(named.path.includes('{id}') && !statuses.includes('404') ? ['it does not say that it answers 404'] : []),
    ...(statuses.some((status) => /^[23]/.test(status)) ? [] : ['it has no answer']),
  ];
};

describe('docs/reference/openapi.json', () => {
  let made: ApiDocument;
  beforeAll(async () => {
    made = await describedApi();
  });

  const storedDocument = (): ApiDocument | undefined =>
    existsSync(page) ? (JSON.parse(readFileSync(page, 'utf8')) as ApiDocument) : undefined;

  it('matches the gateway, without a breaking change', async () => {
    const before = storedDocument();
    const broken = before === undefined ? [] : breakingChanges(before, made);
    const mayBreak = process.env['FLEET_API_MAY_BREAK'] === '1';
    if (broken.length > 0 && !mayBreak) throw new Error(`${broken.join('\n')}\n${whatToDo}`);
    const text = await format(JSON.stringify(made), { ...(await resolveConfig(page)), parser: 'json' });
    expectFile('docs/reference/openapi.json', text);
  });

  it('matches the types of the Python client', () => {
    expectFile('libs/python-client/phenix_fleet/models.py', pythonModels(made));
  });

  it('follows the rules for client generation', () => {
    const tags = new Set(made.tags?.filter(({ description = '' }) => description !== '').map(({ name }) => name));
    const wrong = operationsOf(made).flatMap((one) =>
      mistakesOf(one, tags).map((mistake) => `${one.address}: ${mistake}`),
    );
    expect(wrong).toEqual([]);
    const ids = operationsOf(made).map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const used = new Set(operationsOf(made).flatMap(({ operation }) => operation.tags ?? []));
    expect([...tags].filter((tag) => !used.has(tag))).toEqual([]);
  });

  it('has a valid example for each request body', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': true } });
    ajv.addSchema({ $id: 'api', ...made });
    const names = operationsOf(made).flatMap(
      ({ operation }) => operation.requestBody?.content?.['application/json']?.schema?.$ref?.split('/').slice(-1) ?? [],
    );
    const wrong = [...new Set(names)].flatMap((name) => {
      const examples = made.components.schemas[name]?.examples ?? [];
      const validate = ajv.getSchema(`api#/components/schemas/${name}`);
      if (validate === undefined || examples.length === 0) return [`${name} has no example`];
      return examples.flatMap((example) => (validate(example) === true ? [] : [name, validate.errors]));
    });
    expect(wrong).toEqual([]);
  });
});
