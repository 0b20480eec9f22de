import { CallWatch, type Timers } from './call-watch';

/** Timers controlled by the test. */
class Hands implements Timers {
  private time = 0;
  private readonly due = new Map<object, { readonly at: number; readonly after: () => void }>();

  set(after: () => void, ms: number): NodeJS.Timeout {
    const timer = {};
    this.due.set(timer, { at: this.time + ms, after });
    return timer as NodeJS.Timeout;
  }

  clear(timer: NodeJS.Timeout): void {
    this.due.delete(timer);
  }

  pass(ms: number): void {
    this.time += ms;
    for (const [timer, { at, after }] of this.due)
      if (at <= this.time) {
        this.due.delete(timer);
        after();
      }
  }
}

let hands: Hands;
let watch: CallWatch;
beforeEach(() => {
  hands = new Hands();
  watch = new CallWatch({ firstMs: 1_500, idleMs: 1_000, totalMs: 10_000 }, undefined, hands);
});

describe('a watched call', () => {
  it('continues while content arrives, up to the total time limit', () => {
    hands.pass(1_400);
    for (let passed = 1_400; passed < 9_800; passed += 900) {
      watch.sawContent();
      hands.pass(900);
      expect(watch.signal.aborted).toBe(passed + 900 >= 10_000);
    }
    watch.sawContent();
    hands.pass(900);
    expect(watch.ended).toEqual({ class: 'timeout', why: 'no end within 10 s' });
  });

  it('is aborted without content, at the beginning and in the middle', () => {
    hands.pass(1_500);
    expect(watch.ended?.why).toBe('no content within 1.5 s');
    const other = new CallWatch({ firstMs: 1_500, idleMs: 1_000, totalMs: 10_000 }, undefined, hands);
    other.sawContent();
    hands.pass(1_000);
    expect(other.ended?.why).toBe('no content for 1 s within the answer');
  });

  it('leaves no timer behind', () => {
    watch.close();
    hands.pass(20_000);
    expect(watch.ended).toBeUndefined();
  });
});
