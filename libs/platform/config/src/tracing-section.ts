import { ChoiceVariable, NumberVariable, TextVariable } from './variable.decorator';

const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

/** Traces (docs/operations.md). Without an endpoint no SDK is loaded. */
export class TracingConfig {
  @TextVariable('FLEET_TRACING_ENDPOINT', {
    what: 'URL of the trace collector (OTLP over HTTP, as JSON), for example `http://otel-collector:4318/v1/traces`. Not set: no traces',
    optional: true,
    pattern: /^\S+$/,
    holds: isWebAddress,
    allowed: 'an http or https URL without a name and password',
  })
  readonly endpoint?: string;

  @NumberVariable('FLEET_TRACING_RATIO', {
    what: 'fraction of traces to keep, decided at the start of each trace',
    default: '1',
    min: 0,
    max: 1,
  })
  readonly ratio: number;

  @ChoiceVariable('FLEET_TRACING_CLIENTS', {
    what: "`linked`: a request starts its own trace with a link to its `traceparent`; `trusted`: it continues the client's trace and its sampling decision",
    default: 'linked',
    choices: ['linked', 'trusted'],
  })
  readonly clients: 'linked' | 'trusted';
}
