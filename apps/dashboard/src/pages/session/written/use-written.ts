import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WrittenPart } from '@fleet/contracts/results';
import { isAnswered } from '@fleet/session-report';
import { fetchMe } from '../../../api/calls';

/** How often it is looked whether a model has answered. */
const pollMs = 2_000;

/** What the rules say at once, and models when they are asked. */
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

/** Where a text comes from. */
export interface WrittenSource<V extends WrittenView> {
  /** Read again whenever its session moves. */
  readonly queryKey: readonly ['session', ...(readonly (string | number)[])];
  readonly look: (signal: AbortSignal) => Promise<V>;
  readonly ask: () => Promise<V>;
  /** Whether a model's text is of things as they are now, so that another one would say the same. */
  readonly isCurrent: (view: V) => boolean;
  /** The settings of the session leave all to the rules. */
  readonly rulesOnly: boolean;
}

/** The outcome of the wish that was made on this page; undefined: none was, or it is under way. */
type RequestResult = 'answered' | 'no model' | 'failed' | undefined;

export interface WrittenWork<V extends WrittenView> {
  readonly view: V | undefined;
  readonly error: Error | null;
  readonly readAgain: () => void;
  /** False also where a model has written it of things as they are now, or writes it just now. */
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

/** Reads a text, lets a model write it, and waits for that. */
export const useWritten = <V extends WrittenView>(source: WrittenSource<V>): WrittenWork<V> => {
  const { queryKey, look, ask, isCurrent, rulesOnly } = source;
  const queries = useQueryClient();
  const me = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => fetchMe(signal), staleTime: Infinity });
  const reading = useQuery<V>({
    queryKey,
    queryFn: ({ signal }) => look(signal),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? pollMs : false),
  });
  const asking = useMutation({
    mutationFn: ask,
    onSuccess: async (view) => {
      // An answer to an older look must not take its place.
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
    ask: () => {
      asking.mutate();
    },
    refused: asking.error,
    result: resultOf(view, asking.data),
  };
};
