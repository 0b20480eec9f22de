// @needs helm
import { find, render } from './chart-command';

const monitoring = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } };
const toCollector = { to: [monitoring], ports: [{ protocol: 'TCP', port: 4318 }] };

describe('traces in the chart', () => {
  it('are off, and then nothing is reached for them', () => {
    const objects = render('minimal', { 'networkPolicy.tracing.to': [monitoring] });
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({ FLEET_TRACING_ENDPOINT: '' });
    const { spec } = find(objects, 'NetworkPolicy', '-services');
    expect((spec as { egress: readonly unknown[] }).egress).not.toContainEqual(toCollector);
  });

  it('are sent by all services to the collector, which they may reach', () => {
    const objects = render('shared-namespace');
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({
      FLEET_TRACING_ENDPOINT: 'http://jaeger.monitoring.svc:4318/v1/traces',
      FLEET_TRACING_RATIO: '0.1',
      FLEET_TRACING_CLIENTS: 'trusted',
    });
    const { spec } = find(objects, 'NetworkPolicy', '-services');
    expect((spec as { egress: readonly unknown[] }).egress).toContainEqual(toCollector);
  });
});
