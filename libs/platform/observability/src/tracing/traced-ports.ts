import type { FileInspector, ModelTarget, Tracing } from '@fleet/ports';

type Spans = Pick<Tracing, 'during' | 'here'>;

/** Adds a span for each inspected file, without its name. */
export const tracedInspector = (inspector: FileInspector, tracing: Spans): FileInspector => ({
  inspect: (path, origin, root) =>
    tracing.during({ name: 'file.inspection', facts: { cycle: origin.cycle } }, tracing.here(), () =>
      inspector.inspect(path, origin, root),
    ),
});

/** Adds a span for each request to a model, without its content. */
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
