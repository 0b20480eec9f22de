import { ChoiceVariable, NumberVariable, TextVariable } from './variable.decorator';

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

/** Traces (docs/operations.md). Without an endpoint no SDK is loaded. */
export class TracingConfig {
  @TextVariable('FLEET_TRACING_ENDPOINT', {
    what: 'where spans are sent (OTLP over HTTP, as JSON), for example `http://otel-collector:4318/v1/traces`; without it nothing is traced',
    optional: true,
    pattern: /^\S+$/,
    holds: isWebAddress,
    allowed: 'an http or https URL without a name and password',
  })
  readonly endpoint?: string;

  @NumberVariable('FLEET_TRACING_RATIO', {
    what: 'the part of the traces that is kept; decided once, where a trace begins, for all of it (fraction)',
    default: '1',
    min: 0,
    max: 1,
  })
  readonly ratio: number;

  @ChoiceVariable('FLEET_TRACING_CLIENTS', {
    what: "`linked`: a request begins a trace of its own, with a link to the one in its `traceparent`; `trusted`: it continues with the client's trace, which then decides whether it is kept",
    default: 'linked',
    choices: ['linked', 'trusted'],
  })
  readonly clients: 'linked' | 'trusted';
}
