// @needs helm
import { Queues, queuePolicies, workersOfQueues } from '@fleet/contracts/queues';
import { find, podsOf, render, type Rendered } from './chart-command';

const keda = { enabled: true, kind: 'keda' };
const open = { 'networkPolicy.enabled': false };
const prometheusAddress = 'http://prometheus.monitoring:9090';

/** The keys of the scaled workers in the values, by what their Deployments are called. */
const keys = {
  'decision-worker': 'decisionWorker',
  'executor-worker': 'executorWorker',
  'log-analysis-worker': 'logAnalysisWorker',
} as const;
const workers = Object.values(Queues).map((queue) => ({ queue, worker: workersOfQueues[queue] }));

const scaled = (worker: keyof typeof keys, autoscaling: object, over: object = {}): readonly Rendered[] =>
  render('minimal', { ...open, [`services.${keys[worker]}.autoscaling`]: autoscaling, ...over });

/** What wants something of how many pods there are. */
const scalersOf = (objects: readonly Rendered[]): readonly Rendered[] =>
  objects.filter(({ kind }) => kind === 'ScaledObject' || kind === 'HorizontalPodAutoscaler');

describe('a worker that is scaled', () => {
  it.each(workers)('by KEDA asks the gateways for the backlog of $worker', ({ queue, worker }) => {
    const objects = scaled(worker, keda);
    const [scaler, ...others] = scalersOf(objects);
    expect(others).toEqual([]);
    expect(scaler?.spec).toMatchObject({ scaleTargetRef: { name: find(objects, 'Deployment', worker).metadata.name } });
    const service = find(objects, 'Service', '-gateway-metrics');
    expect(scaler?.spec?.triggers).toEqual([
      {
        type: 'metrics-api',
        metricType: 'AverageValue',
        metadata: {
          url: `http://${service.metadata.name}.fleet.svc:8081/metrics`,
          format: 'prometheus',
          valueLocation: `phenix_fleet_worker_backlog{worker="${worker}"}`,
          // Twice as many as a pod takes at once.
          targetValue: String(2 * queuePolicies[queue].concurrency),
          aggregateFromKubeServiceEndpoints: 'true',
          aggregationType: 'max',
        },
      },
    ]);
    // KEDA compares ports of the Service's endpoints with that of the address.
    const gateway = podsOf(objects).find(({ owner }) => owner.metadata.name.endsWith('-gateway'));
    expect(gateway?.labels).toMatchObject(service.spec?.selector as object);
    expect(gateway?.spec.containers[0]?.ports).toContainEqual({ name: 'health', containerPort: 8081 });
    expect(service.spec).toMatchObject({ clusterIP: 'None', ports: [{ port: 8081, targetPort: 'health' }] });
  });

  it('by KEDA asks Prometheus where it is named, and makes no Service for it', () => {
    const objects = scaled('decision-worker', { ...keda, prometheusAddress });
    const query = 'max(phenix_fleet_worker_backlog{namespace="fleet",worker="decision-worker"})';
    const metadata = { serverAddress: prometheusAddress, query, threshold: '16', ignoreNullValues: 'false' };
    expect(scalersOf(objects)[0]?.spec?.triggers).toEqual([
      { type: 'prometheus', metricType: 'AverageValue', metadata },
    ]);
    expect(objects.filter(({ metadata: { name } }) => name.endsWith('-gateway-metrics'))).toEqual([]);
  });

  it('by a plain autoscaler is scaled by its backlog as an external metric where the values say so', () => {
    const objects = scaled('log-analysis-worker', { enabled: true, by: 'backlog' });
    const [scaler, ...others] = scalersOf(objects);
    expect(others).toEqual([]);
    const selector = { matchLabels: { worker: 'log-analysis-worker' } };
    expect(scaler?.spec?.metrics).toEqual([
      {
        type: 'External',
        external: {
          metric: { name: 'phenix_fleet_worker_backlog', selector },
          target: { type: 'AverageValue', averageValue: '8' },
        },
      },
    ]);
  });

  it('by CPU asks for nothing else', () => {
    const utilization = { type: 'Utilization', averageUtilization: 75 };
    expect(scalersOf(scaled('decision-worker', { enabled: true }))[0]?.spec?.metrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: utilization } },
    ]);
    expect(scalersOf(scaled('decision-worker', { ...keda, by: 'cpu' }))[0]?.spec?.triggers).toEqual([
      { type: 'cpu', metricType: 'Utilization', metadata: { value: '75' } },
    ]);
  });

  it('has no number of pods in its Deployment, so that an upgrade leaves it alone', () => {
    expect(find(scaled('decision-worker', keda), 'Deployment', 'decision-worker').spec).not.toHaveProperty('replicas');
  });

  it('down to one pod has no disruption budget, which would make that pod undrainable', () => {
    const budgets = (minReplicas: number): readonly string[] =>
      scaled('decision-worker', { ...keda, minReplicas })
        .filter(({ kind }) => kind === 'PodDisruptionBudget')
        .map(({ metadata: { name } }) => name)
        .filter((name) => name.endsWith('decision-worker'));
    expect(budgets(1)).toEqual([]);
    expect(budgets(2)).toHaveLength(1);
  });
});

it('a gateway is scaled by CPU, by KEDA too', () => {
  const objects = render('minimal', { ...open, 'services.gateway.autoscaling': keda });
  expect(scalersOf(objects)[0]?.spec?.triggers).toMatchObject([{ type: 'cpu' }]);
});
