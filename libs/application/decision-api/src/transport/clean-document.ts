import type { JsonValue } from '@fleet/contracts/sessions';
import type { FieldLimit, TransportKnowledge } from '@fleet/knowledge-model';
import { cleanText } from './clean-text';
import type { MarkerCodec } from './markers';

export type Limits = Readonly<Record<string, FieldLimit>>;

/** The rules at one node of a document, and its children. */
interface DocumentNode {
  limit?: FieldLimit;
  /** For every text below this node without its own limit. */
  below?: FieldLimit;
  readonly members: Map<string, DocumentNode>;
}

const newNode = (): DocumentNode => ({ members: new Map() });

/** Key of the entries of a list; no member of the rules has this name. */
const entryName = '[]';

const nodeAt = (root: DocumentNode, names: readonly string[]): DocumentNode => {
  let node = root;
  for (const name of names) {
    const next = node.members.get(name) ?? newNode();
    node.members.set(name, next);
    node = next;
  }
  return node;
};

/** The limits by path (`history[].command`) as a tree; `x.*` stands for every text below `x`. */
const nodesOf = (limits: Limits): DocumentNode => {
  const root = newNode();
  for (const [path, limit] of Object.entries(limits)) {
    const names = path.replaceAll(entryName, `.${entryName}`).split('.');
    if (names.at(-1) === '*') nodeAt(root, names.slice(0, -1)).below = limit;
    else nodeAt(root, names).limit = limit;
  }
  return root;
};

/** The node of a member or entry; without its own rules it inherits those of the parent. */
const step = (node: DocumentNode | undefined, name: string): DocumentNode | undefined => {
  const next = node?.members.get(name);
  if (node?.below === undefined) return next;
  return { limit: node.below, below: node.below, ...next, members: next?.members ?? new Map<string, DocumentNode>() };
};

/** Cleans every text that has a limit, and cuts excessive nesting. */
export const documentCleaner = (
  limits: Limits,
  rules: TransportKnowledge,
  codec: MarkerCodec,
): ((document: JsonValue) => JsonValue) => {
  const root = nodesOf(limits);
  const clean = (value: JsonValue, node: DocumentNode | undefined, depth: number): JsonValue => {
    if (typeof value === 'string')
      return node?.limit === undefined ? value : cleanText(value, node.limit, rules, codec);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= rules.deepest) return rules.truncation_mark;
    if (Array.isArray(value)) return value.map((entry: JsonValue) => clean(entry, step(node, entryName), depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, clean(entry, step(node, key), depth + 1)]),
    );
  };
  return (document) => clean(document, root, 0);
};
