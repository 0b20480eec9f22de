const storageKey = 'phenix-fleet.uploads';

/** What tells whether a file is the one of before. A page that was loaded again has no other way to know. */
export interface FileMark {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

/** By what an upload is found again: the proposal, and the file as its owner's computer describes it. */
export const markOf = (proposal: string, { name, size, lastModified }: FileMark): string =>
  JSON.stringify([proposal, name, size, lastModified]);

/** The ids of uploads that are under way, so that picking the same file after a reload continues with it. They are gone with the tab. */
export class StoredUploads {
  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem'>) {}

  find(mark: string): string | undefined {
    return this.read()[mark];
  }

  keep(mark: string, id: string): void {
    this.write({ ...this.read(), [mark]: id });
  }

  forget(mark: string): void {
    this.write(Object.fromEntries(Object.entries(this.read()).filter(([one]) => one !== mark)));
  }

  private read(): Readonly<Record<string, string>> {
    return JSON.parse(this.storage.getItem(storageKey) ?? '{}') as Readonly<Record<string, string>>;
  }

  private write(ids: Readonly<Record<string, string>>): void {
    this.storage.setItem(storageKey, JSON.stringify(ids));
  }
}
