// @needs helm
import { find, podsOf, render, type Rendered } from './chart-command';

describe('network policies', () => {
  const pods = (objects: readonly Rendered[]): readonly string[] =>
    podsOf(objects).map(({ labels }) => labels['app.kubernetes.io/component'] ?? '');

  it('deny everything to every pod of the chart first', () => {
    const objects = render('minimal');
    const deny = find(objects, 'NetworkPolicy', '-default-deny').spec as {
      podSelector: { matchLabels: Record<string, string> };
    };
    expect(deny).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(deny).not.toHaveProperty('ingress');
    expect(deny).not.toHaveProperty('egress');
    for (const { labels } of podsOf(objects)) expect(labels).toMatchObject(deny.podSelector.matchLabels);
    expect(pods(objects)).toEqual(expect.arrayContaining(['gateway', 'postgres', 'redis', 'test']));
  });

  it('let the hook of an uninstall reach the API server when the policies of the release are gone', () => {
    const objects = render('shared-namespace');
    const policy = find(objects, 'NetworkPolicy', '-remove-jobs');
    expect(policy.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'post-delete', 'helm.sh/hook-weight': '0' });
    const { podSelector, egress } = policy.spec as {
      podSelector: { matchLabels: Record<string, string> };
      egress: unknown;
    };
    const [hook] = podsOf(objects).filter(({ owner }) => owner.metadata.name.endsWith('-remove-jobs'));
    expect(hook?.labels).toMatchObject(podSelector.matchLabels);
    expect(egress).toEqual(find(objects, 'NetworkPolicy', '-executor').spec?.egress);
  });

  it('let the gateway alone reach the identity provider, the targets of webhooks, the mail server and the collector of syslog, where there are some', () => {
    const policy = find(render('shared-namespace'), 'NetworkPolicy', '-gateway').spec;
    expect(policy).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      egress: [
        { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }], ports: [{ port: 443 }] },
        { to: [{ ipBlock: { cidr: '10.9.0.0/16' } }], ports: [{ port: 443 }, { port: 8443 }] },
        { to: [{ ipBlock: { cidr: '10.9.0.25/32' } }], ports: [{ port: 587 }] },
        { to: [{ ipBlock: { cidr: '10.9.0.26/32' } }], ports: [{ port: 6514 }] },
      ],
    });
    expect(find(render('minimal'), 'NetworkPolicy', '-gateway').spec).not.toHaveProperty('egress');
  });

  it('let nobody read metrics but whom the values name, from the services alone and on their port alone', () => {
    const policy = find(render('shared-namespace'), 'NetworkPolicy', '-metrics').spec;
    expect(policy).toMatchObject({
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
          ports: [{ protocol: 'TCP', port: 'health' }],
        },
      ],
    });
    const names = render('minimal').map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.endsWith('-metrics'))).toEqual([]);
  });

  it('let nothing out of programs but what is listed', () => {
    const closed = find(render('minimal'), 'NetworkPolicy', '-programs');
    expect(closed.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(closed.spec).not.toHaveProperty('egress');
    expect(closed.spec).not.toHaveProperty('ingress');
    const licence = { to: [{ ipBlock: { cidr: '10.0.0.5/32' } }], ports: [{ protocol: 'TCP', port: 27000 }] };
    const local = { 'jobs.prediction': { service: 'local' }, 'jobs.egress': [licence] };
    expect(find(render('minimal', local), 'NetworkPolicy', '-programs').spec).toMatchObject({ egress: [licence] });
  });

  it('let programs out to the service that predicts for the vendor, by its name, where the values say so', () => {
    const objects = render('shared-namespace');
    expect(find(objects, 'NetworkPolicy', '-programs').spec).toMatchObject({
      egress: [
        { ports: [{ port: 27000 }] },
        { ports: [{ protocol: 'UDP', port: 53 }, { port: 53 }] },
        { to: [{ ipBlock: { cidr: '192.0.2.7/32' } }], ports: [{ port: 443 }] },
      ],
      podSelector: { matchLabels: { 'phenix-fleet.io/installation': 'mx' } },
    });
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({ FLEET_PREDICTION: 'vendor' });
    expect(find(render('minimal'), 'ConfigMap', '-config').data).toMatchObject({ FLEET_PREDICTION: 'off' });
  });
});
