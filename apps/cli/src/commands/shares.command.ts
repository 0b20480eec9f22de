import type { Command } from 'commander';
import type { SharesView } from '@fleet/contracts/launches';
import { plainLine } from '@fleet/session-report';
import { typedBody } from '../client/typed-body';
import { tableLines } from '../output/table';
import type { Action, Connect } from '../command-context';
import { readYaml } from '../read-options';

interface SharesOptions {
  readonly from?: string;
}

const valueText = (name: string, value: unknown): string => {
  if (value === 0 && /^(?:max|starts)/.test(name)) return '0 (no limit)';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value);
};

const sharesLines = ({ policy, setBy, by, since }: SharesView): readonly string[] => {
  const who = setBy === 'configuration' ? 'the configuration' : `an administrator${by === '' ? '' : ` (${by})`}`;
  return [
    plainLine(`set by ${who}${since === undefined ? '' : `, ${since.slice(0, 19)}`}`),
    ...tableLines(Object.entries(policy).map(([name, value]) => [`  ${name}`, plainLine(valueText(name, value))])),
  ];
};

const shares: Action<SharesOptions> = async (context, _, { from }) => {
  const { client, terminal } = context;
  const change =
    from === undefined
      ? undefined
      : { policy: (await readYaml('--from', from, terminal.cwd)) ?? {}, by: terminal.user };
  const view =
    change === undefined
      ? await client.json('GET /v1/admin/shares')
      : await client.json('PUT /v1/admin/shares', { body: typedBody<'PUT /v1/admin/shares'>(change) });
  context.print(view, () => sharesLines(view));
};

export const addShares = (admin: Command, connect: Connect): void => {
  connect<SharesOptions>(
    admin
      .command('shares')
      .summary('show and set the shares of slots between proposals')
      .description(
        'Shows weights, limits and quotas (docs/fair-shares.md). With --from all of them are replaced: a value that the file omits gets its default. Executors apply the change within seconds.',
      )
      .option('--from <file>', 'a YAML or JSON file with the new shares')
      .addHelpText('after', '\nExample:\n  phx admin shares --from shares.yaml'),
    shares,
  );
};
