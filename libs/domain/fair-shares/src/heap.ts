/** A binary heap: the smallest item comes first. */
export class Heap<T extends object> {
  private readonly items: T[] = [];

  constructor(private readonly compare: (a: T, b: T) => number) {}

  push(item: T): void {
    const { items } = this;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = items[above];
      if (parent === undefined || this.compare(item, parent) >= 0) break;
      items[at] = parent;
      at = above;
    }
    items[at] = item;
  }

  peek(): T | undefined {
    return this.items[0];
  }

  pop(): T | undefined {
    const [first] = this.items;
    const last = this.items.pop();
    if (last !== undefined && this.items.length > 0) this.sink(last);
    return first;
  }

  /** Inserts an item at the root and moves it down. */
  private sink(item: T): void {
    const { items } = this;
    let at = 0;
    for (;;) {
      const below = this.smallerBelow(at);
      const child = items[below];
      if (child === undefined || this.compare(item, child) <= 0) break;
      items[at] = child;
      at = below;
    }
    items[at] = item;
  }

  private smallerBelow(at: number): number {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    const [one, other] = [this.items[left], this.items[right]];
    return one !== undefined && other !== undefined && this.compare(other, one) < 0 ? right : left;
  }
}
