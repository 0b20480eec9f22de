// @needs helm
import { find, podsOf, render, type Rendered, type RenderedPod } from './chart-command';

const servicesOf = (objects: readonly Rendered[]): readonly RenderedPod[] =>
  podsOf(objects).filter(
    ({ owner, labels }) => owner.kind === 'Deployment' && labels['app.kubernetes.io/component'] !== 'redis',
  );

const annotationsOf = ({ owner }: RenderedPod): Readonly<Record<string, string>> => {
  const template = owner.spec?.template as { metadata: { annotations: Record<string, string> } };
  return template.metadata.annotations;
};

/** The port that everybody who runs the service knows it by. */
const metricsPort = { name: 'health', containerPort: 8081 };

describe('metrics', () => {
  it('are on a port of that name in every service, the gateway too', () => {
    const objects = render('minimal');
    const services = servicesOf(objects);
    expect(services).toHaveLength(4);
    for (const { spec } of services) expect(spec.containers[0]?.ports).toContainEqual(metricsPort);
    expect(find(objects, 'ConfigMap', '-config').data).toMatchObject({
      FLEET_HEALTH_HOST: '0.0.0.0',
      FLEET_HEALTH_PORT: '8081',
    });
  });

  it('have no port in the Service that users reach', () => {
    const { spec } = find(render('shared-namespace'), 'Service', '-gateway');
    expect(spec).toMatchObject({ ports: [{ name: 'http', targetPort: 'http' }] });
  });

  it('are found by a PodMonitor that selects the services and nothing else', () => {
    const objects = render('shared-namespace');
    const { metadata, spec } = find(objects, 'PodMonitor', '');
    expect(metadata.labels).toMatchObject({ release: 'monitoring' });
    const { selector, podMetricsEndpoints } = spec as {
      readonly selector: {
        readonly matchLabels: Readonly<Record<string, string>>;
        readonly matchExpressions: readonly { readonly key: string; readonly values: readonly string[] }[];
      };
      readonly podMetricsEndpoints: readonly unknown[];
    };
    expect(podMetricsEndpoints).toEqual([{ port: 'health', path: '/metrics', interval: '30s' }]);
    const selected = podsOf(objects).filter(
      ({ labels }) =>
        Object.entries(selector.matchLabels).every(([key, value]) => labels[key] === value) &&
        selector.matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
    );
    expect(selected.map(({ owner }) => owner.metadata.name)).toEqual(
      servicesOf(objects).map(({ owner }) => owner.metadata.name),
    );
  });

  it('are found by annotations where the values say so, and only there', () => {
    const scrape = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8081', 'prometheus.io/path': '/metrics' };
    for (const pod of servicesOf(render('minimal', { 'metrics.annotations': true })))
      expect(annotationsOf(pod)).toMatchObject(scrape);
    for (const pod of servicesOf(render('minimal')))
      expect(Object.keys(annotationsOf(pod))).not.toContain('prometheus.io/scrape');
  });
});
