import type { Finding } from '@fleet/contracts/administration';
import { finding } from '@fleet/ports';
import type { ClassSettings, KubernetesSettings, ResourceClass } from '../settings/kubernetes-settings';
import { quantity, type SeenNode, type Taint } from './seen-node';

type Toleration = ClassSettings['tolerations'][number];

const miB = 1024 ** 2;

const tolerates = (taint: Taint, { key, operator, value, effect }: Toleration): boolean =>
  (effect === undefined || effect === taint.effect) &&
  (key === undefined || key === '' ? operator === 'Exists' : key === taint.key) &&
  (operator === 'Exists' || (value ?? '') === taint.value);

const taintText = ({ key, value, effect }: Taint): string => `${key}${value === '' ? '' : `=${value}`}:${effect}`;

/** Why a node rejects programs of a class; undefined if it accepts them. */
const whyNot = (node: SeenNode, kind: ClassSettings, memoryMiB: number): string | undefined => {
  const label = Object.entries(kind.nodeSelector).find(([name, value]) => node.labels[name] !== value);
  if (label !== undefined) return `has no label ${label.join('=')}`;
  // The cluster itself taints nodes that are cordoned or not ready.
  if (!node.ready) return 'is not ready';
  if (node.cordoned) return 'is cordoned';
  const taint = node.taints.find(
    (one) => one.effect !== 'PreferNoSchedule' && !kind.tolerations.some((toleration) => tolerates(one, toleration)),
  );
  if (taint !== undefined) return `has the taint ${taintText(taint)}, which no toleration matches`;
  const wanted = { cpu: '1', memory: `${String(memoryMiB)}Mi`, ...kind.resources };
  const short = Object.entries(wanted).find(([name, text]) => (node.allocatable[name] ?? 0) < quantity(text));
  return short === undefined ? undefined : `has less than ${short[1]} of ${short[0]}`;
};

/** The reasons with their number of nodes, the most frequent first. */
const reasonsOf = (reasons: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([reason, count]) => (count === 1 ? `one ${reason}` : `${String(count)} each ${reason}`))
    .join('; ');
};

const classFindings = (
  nodes: readonly SeenNode[],
  [name, kind]: readonly [ResourceClass, ClassSettings],
  memoryClassesMiB: readonly number[],
): readonly Finding[] => {
  const smallest = memoryClassesMiB[0] ?? 0;
  const judged = nodes.map((node) => ({ node, reason: whyNot(node, kind, smallest) }));
  const fit = judged.filter(({ reason }) => reason === undefined).map(({ node }) => node);
  const check = `cluster.nodes.${name}`;
  if (fit.length === 0) {
    const reasons = reasonsOf(judged.map(({ reason = '' }) => reason));
    return [
      finding(
        check,
        'warning',
        `None of ${String(nodes.length)} nodes takes ${name} programs: ${reasons || 'there are none'}.`,
        {
          why: 'Such programs wait until a node is added (by an autoscaler, say), and end after pendingLimitSeconds.',
          remedy: `Compare nodeSelector, tolerations and resources of classes.${name} with the nodes (kubectl get nodes --show-labels, kubectl describe node).`,
        },
      ),
    ];
  }
  const most = Math.max(...fit.map(({ allocatable }) => allocatable.memory ?? 0)) / miB;
  const tooLarge = memoryClassesMiB.filter((size) => size > most);
  const seen = `${String(fit.length)} of ${String(nodes.length)} nodes take ${name} programs, the largest has ${most.toFixed(0)} MiB for pods`;
  return [
    finding(
      check,
      tooLarge.length > 0 ? 'warning' : 'ok',
      tooLarge.length > 0 ? `${seen}: none takes the memory classes of ${tooLarge.join(', ')} MiB.` : `${seen}.`,
      {
        why: 'A program that ran out of memory is repeated with the next class, for which no node exists.',
        remedy: 'Remove the classes that no node can run from memoryClassesMiB, or add nodes.',
      },
    ),
  ];
};

/** The nodes that would accept programs, according to settings and nodes. */
export const nodesFindings = (
  nodes: readonly SeenNode[],
  { classes, memoryClassesMiB }: Pick<KubernetesSettings, 'classes' | 'memoryClassesMiB'>,
): readonly Finding[] => [
  ...classFindings(nodes, ['cpu', classes.cpu], memoryClassesMiB),
  ...(classes.gpu === undefined ? [] : classFindings(nodes, ['gpu', classes.gpu], memoryClassesMiB)),
];
