import type { FileInspector, ModelTarget, Tracing } from '@fleet/ports';

type Spans = Pick<Tracing, 'during' | 'here'>;

/** Each file that is looked into is a span; what it is called is not said. */
export const tracedInspector = (inspector: FileInspector, tracing: Spans): FileInspector => ({
  inspect: (path, origin, root) =>
    tracing.during({ name: 'file.inspection', facts: { cycle: origin.cycle } }, tracing.here(), () =>
      inspector.inspect(path, origin, root),
    ),
});

/** Each request to a model is a span; what is asked and answered is not said. */
export const tracedTarget = (target: ModelTarget, tracing: Spans): ModelTarget => ({
  id: target.id,
  model: target.model,
  maxOutputTokens: target.maxOutputTokens,
  local: target.local,
  ...(target.price !== undefined && { price: target.price }),
  ...(target.fits !== undefined && { fits: target.fits.bind(target) }),
  ask: (request, signal) =>
    tracing.during({ name: 'model.request', facts: { target: target.id } }, tracing.here(), async (span) => {
      const answer = await target.ask(request, signal);
      if (!answer.ok) span.fail(answer.failure.class);
      return answer;
    }),
});
