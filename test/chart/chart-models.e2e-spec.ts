// @needs helm
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModelsFile, type ModelsSettings } from '@fleet/model-targets';
import { useFolder } from '@fleet/testing';
import { load } from 'js-yaml';
import { checkout, find, podsOf, render, template, type Rendered } from './chart-command';

type Values = Readonly<Record<string, unknown>>;

/** The examples of docs/models.md that are values of the chart. */
const examples = [...readFileSync(join(checkout, 'docs/models.md'), 'utf8').matchAll(/^```yaml\n(models:\n.*?)^```/gms)]
  .map(([, text = '']) => load(text) as { readonly models: Values })
  .map(({ models }): Values => ({ models }));

const decisionWorker = (objects: readonly Rendered[]) =>
  podsOf(objects).find(({ labels }) => labels['app.kubernetes.io/component'] === 'decision-worker')?.spec;

const egress = (objects: readonly Rendered[]): unknown =>
  find(objects, 'NetworkPolicy', '-decision-worker').spec?.egress;

const mountedKeys = '/run/secrets/phenix-fleet-models';

describe('language models', () => {
  const root = useFolder('file');
  beforeAll(() => {
    mkdirSync(join(root, 'work'));
    mkdirSync(join(root, 'keys'));
    for (const id of ['hosted', 'site']) writeFileSync(join(root, 'keys', id), 'sk-secret\n', { mode: 0o600 });
  });

  /** What the decision worker makes of the rendered file, with keys in another place. */
  const readBack = (objects: readonly Rendered[]): ModelsSettings => {
    const text = find(objects, 'ConfigMap', '-models').data?.['models.yaml'] ?? '';
    const file = join(root, 'models.yaml');
    writeFileSync(file, text.replaceAll(mountedKeys, join(root, 'keys')));
    return readModelsFile(file, join(root, 'work'));
  };

  it('are in the documentation with two examples', () => {
    expect(examples).toHaveLength(2);
  });

  it('that are hosted: a file that the worker reads, the key from the Secret, a way out to their port', () => {
    const objects = render('minimal', examples[0]);
    expect(readBack(objects).planning).toMatchObject([{ id: 'hosted', protocol: 'google', key: 'sk-secret' }]);
    const source = { secret: { name: 'models', items: [{ key: 'google', path: 'hosted' }] } };
    expect(decisionWorker(objects)?.volumes).toContainEqual(
      expect.objectContaining({ name: 'model-keys', projected: { defaultMode: 0o444, sources: [source] } }),
    );
    expect(egress(objects)).toEqual([
      {
        to: [{ ipBlock: { cidr: '0.0.0.0/0' } }, { ipBlock: { cidr: '::/0' } }],
        ports: [{ protocol: 'TCP', port: 443 }],
      },
    ]);
  });

  it('within the cluster: no key, and a way out to their pods alone', () => {
    const objects = render('minimal', examples[1]);
    expect(readBack(objects).planning).toMatchObject([
      { id: 'vllm', baseUrl: 'http://vllm.models.svc/v1', contextTokens: 32_768, local: true },
      { id: 'ollama', baseUrl: 'http://ollama.models.svc:11434', local: true },
    ]);
    expect(readBack(objects).directives).toEqual([]);
    expect(JSON.stringify(objects)).not.toContain('model-keys');
    const pods = (app: string): Values => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'models' } },
      podSelector: { matchLabels: { app } },
    });
    expect(egress(objects)).toEqual([
      { to: [pods('vllm')], ports: [{ protocol: 'TCP', port: 8000 }] },
      { to: [pods('ollama')], ports: [{ protocol: 'TCP', port: 11434 }] },
    ]);
  });

  it.each([
    ['https://models.example.org/v1', 443],
    ['http://models.example.org', 80],
    ['http://[fd00::1]:9000', 9000],
    ['http://[fd00::1]', 80],
  ])('at %s are reached at port %i', (baseUrl, port) => {
    const one = { id: 'one', protocol: 'openai', base_url: baseUrl };
    const objects = render('minimal', { 'models.targets': [one], 'models.roles.planning': ['one'] });
    expect(egress(objects)).toMatchObject([{ ports: [{ port }] }]);
  });

  it('are given to the decision worker alone, numbers with all their digits', () => {
    const objects = render('shared-namespace');
    expect(readBack(objects)).toMatchObject({
      planning: [
        { id: 'site', contextTokens: 10_000_000, temperature: 0.1, key: 'sk-secret', price: { input: 0.25 } },
        { id: 'gpu-1', protocol: 'ollama' },
      ],
      directives: [{ id: 'gpu-1' }],
      budgets: { proposal: { tokens: 1_000_000_000_000 }, day: { cost: 20.5 } },
    });
    const file = { name: 'FLEET_MODELS_FILE', value: '/etc/phenix-fleet-models/models.yaml' };
    expect(decisionWorker(objects)?.containers[0]?.env).toContainEqual(file);
    const withModels = podsOf(objects).filter(({ spec }) => /phenix-fleet-models|-models"/.test(JSON.stringify(spec)));
    expect(withModels.map(({ labels }) => labels['app.kubernetes.io/component'])).toEqual(['decision-worker']);
  });

  it('restart the decision workers when they or their keys change, and nothing else', () => {
    const podOf = (name: string, over: Values): unknown =>
      find(render('shared-namespace', over), 'Deployment', name).spec?.template;
    for (const over of [{ 'models.rotation': '2' }, { 'models.localOnly': true }]) {
      expect(podOf('-decision-worker', over)).not.toEqual(podOf('-decision-worker', {}));
      expect(podOf('-gateway', over)).toEqual(podOf('-gateway', {}));
    }
  });

  it('leave nothing behind where there are none', () => {
    expect(template('minimal').output).not.toMatch(/models/i);
    const policies = render('minimal').filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies.map(({ metadata }) => metadata.name)).not.toContain('fleet-phenix-fleet-decision-worker');
    expect(find(render('minimal', examples[0]), 'NetworkPolicy', '-decision-worker').metadata.name).toBe(
      'fleet-phenix-fleet-decision-worker',
    );
  });
});
