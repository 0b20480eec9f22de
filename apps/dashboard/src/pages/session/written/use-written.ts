import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WrittenPart } from '@fleet/contracts/results';
import { isAnswered } from '@fleet/session-report';
import { useMe } from '../../../parts/use-me';

/** Polling interval for a model's answer, in milliseconds. */
const pollMs = 2_000;

/** A text by the rules at once, and by models on request. */
export interface WrittenView {
  readonly state: 'ready' | 'pending' | 'failed';
  readonly writtenBy: 'rules' | 'model';
  readonly writtenAt: string;
  readonly parts: readonly WrittenPart<string>[];
  readonly requestedAt?: string;
  readonly target?: string;
  readonly model?: string;
  readonly failed?: string;
  readonly why?: string;
}

/** The source of a text. */
export interface WrittenSource<V extends WrittenView> {
  /** Fetched again whenever its session moves. */
  readonly queryKey: readonly ['session', ...(readonly (string | number)[])];
  readonly look: (signal: AbortSignal) => Promise<V>;
  readonly ask: () => Promise<V>;
  /** Whether a model's text describes the current state, so that a new one would be the same. */
  readonly isCurrent: (view: V) => boolean;
  /** The session's settings exclude models. */
  readonly rulesOnly: boolean;
}

/** The result of the request on this page; undefined: none, or in progress. */
type RequestResult = 'answered' | 'no model' | 'failed' | undefined;

export interface WrittenWork<V extends WrittenView> {
  readonly view: V | undefined;
  readonly error: Error | null;
  readonly readAgain: () => void;
  /** False also if a model's text is current, or in progress. */
  readonly mayAsk: boolean;
  readonly isAsking: boolean;
  readonly ask: () => void;
  readonly refused: Error | null;
  readonly result: RequestResult;
}

const resultOf = (view: WrittenView | undefined, requested: WrittenView | undefined): RequestResult => {
  if (view === undefined || requested === undefined || view.state === 'pending') return undefined;
  if (view.state === 'failed') return 'failed';
  return isAnswered(view, requested.requestedAt) ? 'answered' : 'no model';
};

/** Fetches a text, requests one from a model, and waits for it. */
export const useWritten = <V extends WrittenView>(source: WrittenSource<V>): WrittenWork<V> => {
  const { queryKey, look, ask, isCurrent, rulesOnly } = source;
  const queries = useQueryClient();
  const me = useMe();
  const reading = useQuery<V>({
    queryKey,
    queryFn: ({ signal }) => look(signal),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? pollMs : false),
  });
  const asking = useMutation({
    mutationFn: ask,
    onSuccess: async (view) => {
      // The response to an older request must not replace it.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData<V>(queryKey, () => view);
    },
  });
  const { data: view, error } = reading;
  const mayChange = me.data?.scopes.includes('change') === true;
  const isThere = view?.writtenBy === 'model' && isCurrent(view);
  return {
    view,
    error,
    readAgain: () => void reading.refetch(),
    mayAsk: mayChange && !rulesOnly && view?.state !== 'pending' && !isThere,
    isAsking: asking.isPending,
    ask: () => asking.mutate(),
    refused: asking.error,
    result: resultOf(view, asking.data),
  };
};
