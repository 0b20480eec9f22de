/** An allowed webhook target: a host or all hosts below it, by one scheme, at one port or any. */
export interface WebhookTarget {
  readonly scheme: 'https:' | 'http:';
  /** Lower case; with `below` only the hosts under it. */
  readonly host: string;
  readonly below: boolean;
  /** Empty: any. */
  readonly port: string;
}

export const webhookTargetForms =
  'hosts separated by commas: hooks.example.org, *.example.org, example.org:8443, example.org:* (any port), http://10.1.2.3:9000 (without TLS)';

const targetForm =
  /^(?:(https?):\/\/)?(\*\.)?((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::(\*|[1-9]\d{0,4}))?$/;

/** Undefined for an invalid target. */
const readTarget = (text: string): WebhookTarget | undefined => {
  const [, scheme = 'https', star, host, port] = targetForm.exec(text.toLowerCase()) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) return undefined;
  const usual = scheme === 'https' ? '443' : '80';
  return {
    scheme: scheme === 'https' ? 'https:' : 'http:',
    host,
    below: star !== undefined,
    port: port === '*' ? '' : (port ?? usual),
  };
};

/** The targets in a text; undefined if one of them is invalid. */
export const readWebhookTargets = (text: string): readonly WebhookTarget[] | undefined => {
  const read = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readTarget);
  return read.every((target) => target !== undefined) ? read : undefined;
};

/** Whether a URL is an allowed target. Its IP address is checked at delivery. */
export const isWebhookTarget = (
  url: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  targets: readonly WebhookTarget[],
): boolean => {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const host = url.hostname.toLowerCase();
  return targets.some(
    (target) =>
      target.scheme === url.protocol &&
      (target.below ? host.endsWith(`.${target.host}`) : host === target.host) &&
      (target.port === '' || target.port === port),
  );
};
