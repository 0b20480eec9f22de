import type { Finding } from '@fleet/contracts/administration';
import type { ClassSettings } from '../settings/kubernetes-settings';
import { nodesFindings } from './nodes';
import { quantity, seenNode, type SeenNode } from './seen-node';

const aClass: ClassSettings = { nodeSelector: {}, tolerations: [], resources: {}, maxRunning: 0 };
const gpuClass: ClassSettings = { ...aClass, nodeSelector: { gpu: 'yes' }, resources: { 'nvidia.com/gpu': '1' } };

interface NodeChange {
  readonly labels?: Record<string, string>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly allocatable?: Record<string, string>;
  readonly ready?: boolean;
  readonly cordoned?: boolean;
}

const aNode = ({ labels, taints = [], allocatable, ready = true, cordoned = false }: NodeChange = {}): SeenNode =>
  seenNode({
    metadata: { name: 'node', labels },
    spec: { taints, unschedulable: cordoned },
    status: {
      allocatable: { cpu: '7500m', memory: '16Gi', ...allocatable },
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }],
    },
  }) as SeenNode;

const aGpuNode = (change: NodeChange = {}): SeenNode =>
  aNode({ labels: { gpu: 'yes' }, allocatable: { 'nvidia.com/gpu': '4' }, ...change });

const found = (
  nodes: readonly SeenNode[],
  classes: { readonly cpu: ClassSettings; readonly gpu?: ClassSettings } = { cpu: aClass },
  memoryClassesMiB: readonly number[] = [2048, 4096],
): readonly Finding[] => nodesFindings(nodes, { classes, memoryClassesMiB });

describe('the nodes of a cluster', () => {
  it('that accept programs are counted, by class', () => {
    expect(found([aNode(), aGpuNode()], { cpu: aClass, gpu: gpuClass })).toEqual([
      {
        check: 'cluster.nodes.cpu',
        level: 'ok',
        seen: '2 of 2 nodes take cpu programs, the largest has 16384 MiB for pods.',
      },
      {
        check: 'cluster.nodes.gpu',
        level: 'ok',
        seen: '1 of 2 nodes take gpu programs, the largest has 16384 MiB for pods.',
      },
    ]);
  });

  it.each<readonly [string, NodeChange, string]>([
    [
      'a taint that no toleration fits',
      { taints: [{ key: 'beamline', value: 'i04', effect: 'NoSchedule' }] },
      'has the taint beamline=i04:NoSchedule',
    ],
    ['too few processors', { allocatable: { cpu: '900m' } }, 'has less than 1 of cpu'],
    ['too little memory', { allocatable: { memory: '1Gi' } }, 'has less than 2048Mi of memory'],
    ['a cordon', { cordoned: true }, 'is cordoned'],
    ['no sign of life', { ready: false }, 'is not ready'],
  ])('that accept none are listed with the reason: %s', (_, change, reason) => {
    const [cpu] = found([aNode(change)]);
    expect(cpu).toMatchObject({ check: 'cluster.nodes.cpu', level: 'warning' });
    expect(cpu?.seen).toContain(`None of 1 nodes takes cpu programs: one ${reason}`);
  });

  it.each<readonly [string, readonly SeenNode[], string]>([
    ['none has the label', [aNode(), aNode()], '2 each has no label gpu=yes'],
    ['none has a GPU to give', [aNode({ labels: { gpu: 'yes' } })], 'one has less than 1 of nvidia.com/gpu'],
    ['there are none at all', [], 'there are none'],
  ])('a GPU class without a node is reported: %s', (_, nodes, reason) => {
    const gpu = found(nodes, { cpu: aClass, gpu: gpuClass }).find(({ check }) => check === 'cluster.nodes.gpu');
    expect(gpu?.level).toBe('warning');
    expect(gpu?.seen).toContain(reason);
  });

  it('a taint is ignored if a toleration matches it, or if it is a preference', () => {
    const tainted = aNode({
      taints: [
        { key: 'beamline', value: 'i04', effect: 'NoSchedule' },
        { key: 'busy', effect: 'PreferNoSchedule' },
      ],
    });
    for (const toleration of [
      { key: 'beamline', value: 'i04' },
      { key: 'beamline', operator: 'Exists' },
      { operator: 'Exists' },
    ] as const) {
      expect(found([tainted], { cpu: { ...aClass, tolerations: [toleration] } })).toMatchObject([{ level: 'ok' }]);
    }
    const others = [
      { key: 'beamline', value: 'i03' },
      { key: 'beamline', value: 'i04', effect: 'NoExecute' },
    ] as const;
    expect(found([tainted], { cpu: { ...aClass, tolerations: others } })).toMatchObject([{ level: 'warning' }]);
  });

  it('memory classes that fit on no node are reported', () => {
    expect(found([aNode()], { cpu: aClass }, [2048, 32_768])).toMatchObject([
      { level: 'warning', seen: expect.stringContaining('none takes the memory classes of 32768 MiB') as string },
    ]);
  });
});

it.each([
  ['500m', 0.5],
  ['4', 4],
  ['16Gi', 16 * 2 ** 30],
  ['1e3', 1000],
  ['65838368Ki', 65_838_368 * 1024],
  ['many', Number.NaN],
])('a quantity %s is %d', (text, value) => {
  expect(quantity(text)).toBe(value);
});
