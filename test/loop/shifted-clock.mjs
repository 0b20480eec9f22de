// `node --import '…/shifted-clock.mjs?ms=300000' app.js`: a process on a machine whose clock is five minutes ahead.
const shiftMs = Number(new URL(import.meta.url).searchParams.get('ms'));
const TrueDate = Date;
const trueNow = Date.now;
const now = () => trueNow() + shiftMs;
TrueDate.now = now;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  apply: () => new TrueDate(now()).toString(),
});
