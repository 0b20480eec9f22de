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
    id: targetName('what logs, records and roles call it'),
    protocol: choice(modelProtocols),
  },
  {
    base_url: text('absent: where the vendor of the protocol is; Ollama: this machine', { maxLength: 500 }),
    model: text('absent: the default of the protocol', { minLength: 1, maxLength: 200 }),
    key_file: text('file with the key, absolute; absent: none is sent', { maxLength: 4096, pattern: '^/' }),
    local: flag('what is sent to it stays within the site'),
    context_tokens: tokens('tokens that request and answer may have together'),
    max_output_tokens: tokens('tokens of an answer, thoughts included'),
    temperature: number('absent: the model decides', { minimum: 0, maximum: 2 }),
    sends_schema: flag('whether it is sent the JSON schema of the answer'),
    first_s: seconds('seconds until the first content'),
    idle_s: seconds('seconds between two pieces of content'),
    total_s: seconds('seconds for a whole call'),
    price: record(
      { input: money('for a million tokens of a request'), output: money('for a million tokens of an answer') },
      {},
      'absent: nobody knows what it costs',
    ),
  },
);
export type TargetOptions = Described<typeof targetSchema>;

const providerName = text('what a v2 request calls it', {
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
        { planning: role('asked for the next program, in this order') },
        {
          directives: role('asked to read advice, in this order; absent: the rules read it alone'),
          analysis: role('asked what a session is worth, in this order; absent: the rules say it alone'),
          cheap: role('asked what the log of a run says, in this order; absent: the rules say it alone'),
        },
      ),
    },
    {
      providers: list(
        record({
          name: providerName,
          targets: role('asked for it, in this order'),
        }),
        'whose models answer requests of the v2 decision API, by their `settings.provider`; absent: the rules answer them all',
        { minItems: 1, maxItems: 10 },
      ),
      local_only: flag('targets that are not local are refused'),
      budgets: record(
        {},
        {
          session: spending('what one session may use'),
          proposal: spending('what all sessions of a proposal may use together'),
          day: spending('what all sessions may use on a day, UTC'),
        },
        'absent: no limit',
      ),
    },
  ),
);
export type ModelsFile = Described<typeof modelsSchema>;
