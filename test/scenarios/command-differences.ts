import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { shortCommand, type Answered } from './scenario-files';

/** A kind of difference beside the program, and why it is there. `ours` and `peer` are regular expressions. */
interface Kind {
  readonly ours?: string;
  readonly peer?: string;
  /** Ids of the requests where the reason holds; all where absent. */
  readonly only?: readonly string[];
  readonly because: string;
}

export interface Kinds {
  readonly states: readonly Kind[];
  readonly stops: readonly Kind[];
  readonly tokens: readonly Kind[];
}

/** What differs between an answer and the peer's where the program is the same. */
export interface Comparison {
  readonly kinds: readonly Kind[];
  /** What no kind explains. */
  readonly unexplained: readonly string[];
}

export const readKinds = (): Kinds => load(readFileSync(join(__dirname, 'command-differences.yaml'), 'utf8')) as Kinds;

const withPlainNumber = (token: string): string => token.replace(/(?<==)\d+\.?\d*$/, (text) => String(Number(text)));

/** Tokens of a command without the quotes of a shell around them; numbers without needless digits. */
const tokensOf = (command: string): readonly string[] =>
  (shortCommand(command).match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
    .map((token) => token.replace(/^'(.*)'$/, '$1'))
    .map(withPlainNumber);

const fits = (pattern: string | undefined, text: string): boolean =>
  pattern !== undefined && new RegExp(pattern).test(text);

interface Side {
  readonly who: 'ours' | 'peer';
  readonly text: string;
}

const explained = (id: string, kinds: readonly Kind[], { who, text }: Side): Kind | undefined =>
  kinds.find((kind) => (kind.only?.includes(id) ?? true) && fits(kind[who], text));

const tokenSides = (one: readonly string[], other: readonly string[], who: Side['who']): readonly Side[] =>
  one.filter((token) => !other.includes(token)).map((text) => ({ who, text }));

const pairOf = (kinds: readonly Kind[], ours: string, peer: string): Kind | undefined =>
  kinds.find((kind) => fits(kind.ours, ours) && fits(kind.peer, peer));

/** State, stop and every token of the command, each with the kind that explains it. */
export const compare = ({ scenario, response }: Answered, kinds: Kinds): Comparison => {
  const { id, public_agent: peer } = scenario;
  const [ours, theirs] = [tokensOf(response.decision.command), tokensOf(peer.command)];
  const found = [...tokenSides(ours, theirs, 'ours'), ...tokenSides(theirs, ours, 'peer')].map(
    (side) => explained(id, kinds.tokens, side) ?? `${id}: ${side.who} ${side.text}`,
  );
  const state = response.metadata.workflow_state ?? '';
  if (state !== peer.workflow_state)
    found.push(pairOf(kinds.states, state, peer.workflow_state) ?? `${id}: ${state}, peer ${peer.workflow_state}`);
  const [stop, peerStop] = [response.metadata.stop_code ?? '', peer.stop_reason ?? ''];
  if (stop !== peerStop) found.push(pairOf(kinds.stops, stop, peerStop) ?? `${id}: ${stop}, peer ${peerStop}`);
  return {
    kinds: [...new Set(found.filter((one) => typeof one !== 'string'))],
    unexplained: found.filter((one) => typeof one === 'string'),
  };
};
