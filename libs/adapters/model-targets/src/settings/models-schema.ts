import { modelProtocols } from '@fleet/contracts/models';
import { choice, closed, flag, integer, list, number, record, text, type Described } from '@fleet/contracts/schema';

const tokens = (what: string) => integer(what, { minimum: 256, maximum: 10_000_000 });
const seconds = (what: string) => integer(what, { minimum: 1, maximum: 3_600 });
const money = (what: string) => number(what, { minimum: 0, maximum: 1_000_000_000 });
const spending = (what: string) =>
  record(
    {},
    {
      requests: integer('failed ones too', { minimum: 1, maximum: 1_000_000_000 }),
      tokens: integer('of requests and answers together', { minimum: 1, maximum: 1_000_000_000_000 }),
      cost: money('in the currency of the prices'),
    },
    what,
  );
const targetName = (what: string) =>
  text(what, { pattern: '^[a-z0-9][a-z0-9._-]{0,63}$', 'x-allowed': 'lower-case letters, digits, ".", "_" and "-"' });

const targetSchema = record(
  {
    id: targetName('name in logs, records and roles'),
    protocol: choice(modelProtocols),
  },
  {
    base_url: text('default: the vendor of the protocol; Ollama: this machine', { maxLength: 500 }),
    model: text('absent: the default of the protocol', { minLength: 1, maxLength: 200 }),
    key_file: text('absolute path of the file with the key; absent: no key', { maxLength: 4096, pattern: '^/' }),
    local: flag('data sent to it stay within the site'),
    context_tokens: tokens('maximum tokens of request and answer together'),
    max_output_tokens: tokens('maximum tokens of an answer, including thoughts'),
    temperature: number('default: that of the model', { minimum: 0, maximum: 2 }),
    sends_schema: flag('whether requests contain the JSON schema of the answer'),
    first_s: seconds('seconds until the first content'),
    idle_s: seconds('seconds between two pieces of content'),
    total_s: seconds('seconds for a whole call'),
    price: record(
      { input: money('per million input tokens'), output: money('per million output tokens') },
      {},
      'absent: unknown',
    ),
  },
);
export type TargetOptions = Described<typeof targetSchema>;

const providerName = text('name in v2 requests', {
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  'x-allowed': 'letters, digits, ".", "_" and "-"',
});

const role = (what: string) => list(targetName('id of a target'), what, { minItems: 1, maxItems: 5 });

/** Schema of FLEET_MODELS_FILE. */
export const modelsSchema = closed(
  record(
    {
      targets: list(targetSchema, undefined, { minItems: 1, maxItems: 20 }),
      roles: record(
        { planning: role('targets that choose the next program, in order') },
        {
          directives: role('targets that read advice, in order; absent: only the rules do'),
          analysis: role('targets that assess sessions, in order; absent: only the rules do'),
          cheap: role('targets that summarise logs, in order; absent: only the rules do'),
        },
      ),
    },
    {
      providers: list(
        record({
          name: providerName,
          targets: role('targets, in order'),
        }),
        'targets for the v2 decision API, by `settings.provider`; absent: only the rules decide',
        { minItems: 1, maxItems: 10 },
      ),
      local_only: flag('targets that are not local are refused'),
      budgets: record(
        {},
        {
          session: spending('limits of one session'),
          proposal: spending('limits of all sessions of a proposal together'),
          day: spending('limits of all sessions per day (UTC)'),
        },
        'absent: no limit',
      ),
    },
  ),
);
export type ModelsFile = Described<typeof modelsSchema>;
