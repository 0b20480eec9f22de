import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import { problemMediaType } from '../errors/problem-details';

const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** What an address does and answers with. */
export interface Answer {
  readonly summary: string;
  readonly description?: string;
  readonly status: number;
  /** Name of the schema of a JSON answer. */
  readonly schema?: string;
  /** Media type of an answer that is not JSON. */
  readonly media?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** No GET: a web page of another origin may not ask for it, and it may have a body. */
  readonly changes?: true;
  /** Statuses of its own errors; every address may also answer 400 (what it would not read), 401 and 403 (who asks), 429 (too often), 421 (a foreign host), 500 and 503. */
  readonly errors?: readonly number[];
}

const contentOf = ({ schema, media }: Answer): object => {
  const content = {
    ...(media !== undefined && { [media]: { schema: { type: 'string' } } }),
    ...(schema !== undefined && { 'application/json': { schema: reference(schema) } }),
  };
  return Object.keys(content).length === 0 ? {} : { content };
};

const headersOf = (headers: Readonly<Record<string, string>> = {}): object => ({
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  ),
});

const problem = (status: number): MethodDecorator =>
  ApiResponse({
    status,
    description: 'problem+json',
    content: { [problemMediaType]: { schema: reference('Problem') } },
  });

const commonErrors = ({ changes }: Answer): readonly number[] =>
  changes === true ? [400, 401, 403, 413, 415, 421, 429, 500, 503] : [400, 401, 403, 421, 429, 500, 503];

/** Describes one address. */
export const answers = (answer: Answer, ...more: readonly MethodDecorator[]): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary: answer.summary, description: answer.description ?? '' }),
    ApiResponse({
      status: answer.status,
      description: answer.summary,
      ...contentOf(answer),
      ...headersOf(answer.headers),
    }),
    ...[...new Set([...commonErrors(answer), ...(answer.errors ?? [])])].map(problem),
    ...more,
  );
