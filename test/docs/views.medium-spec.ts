import { Client } from 'pg';
import { startPostgres, useStarted } from '@fleet/testing';
import { openStore } from '../support/servers';
import { expectPage } from './generated-page';

const preamble = `# Views

Generated from the comments in the database by \`test/docs/views.medium-spec.ts\` (regenerate with \`FLEET_WRITE_DOCS=1 TEST_SIZE=medium\`).

The schema \`fleet_public\` is what other programs may read; [statistics.md](../statistics.md#views-for-grafana-and-notebooks) says who may. A release adds views and columns, and takes none away without saying so in its notes.
`;

interface Described {
  readonly view: string;
  /** Absent: the view itself. */
  readonly column: string | null;
  readonly type: string | null;
  readonly comment: string | null;
}

const described = `
  SELECT c.relname AS view, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
    CASE WHEN a.attnum IS NULL THEN obj_description(c.oid) ELSE col_description(c.oid, a.attnum) END AS comment
  FROM pg_class c LEFT JOIN LATERAL (
    SELECT NULL AS attname, NULL AS atttypid, NULL AS atttypmod, NULL AS attnum
    UNION ALL SELECT attname::text, atttypid, atttypmod, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0
  ) a ON true
  WHERE c.relnamespace = 'fleet_public'::regnamespace AND c.relkind = 'v'
  ORDER BY c.relname, a.attnum NULLS FIRST`;

const lineOf = ({ view, column, type, comment }: Described): string =>
  column === null
    ? `\n## fleet_public.${view}\n\n${comment ?? ''}\n\n| column | type | what |\n| --- | --- | --- |`
    : `| \`${column}\` | ${type ?? ''} | ${comment ?? ''} |`;

describe('the page about the views of fleet_public', () => {
  let rows: readonly Described[];
  const postgres = useStarted('file', () => startPostgres());
  beforeAll(async () => {
    const connectionString = await postgres.newDatabase();
    const { close } = await openStore(connectionString);
    await close();
    const client = new Client({ connectionString });
    await client.connect();
    ({ rows } = await client.query<Described>(described));
    await client.end();
  });

  it('have a comment on each view and column', () => {
    expect(rows.filter(({ column }) => column === null).map(({ view }) => view)).toEqual([
      'batches',
      'counted_sessions',
      'cycles',
      'runs',
      'sessions',
    ]);
    expect(rows.filter(({ comment }) => comment === null)).toEqual([]);
  });

  it('match docs/reference/views.md', async () => {
    await expectPage('docs/reference/views.md', [preamble, ...rows.map(lineOf)].join('\n'), { printWidth: 160 });
  });
});
