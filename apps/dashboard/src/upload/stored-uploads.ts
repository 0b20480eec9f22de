const storageKey = 'phenix-fleet.uploads';

/** Identifies a file after a reload of the page. */
export interface FileMark {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

/** Key of an upload: the proposal, and the file's metadata. */
export const markOf = (proposal: string, { name, size, lastModified }: FileMark): string =>
  JSON.stringify([proposal, name, size, lastModified]);

/**
 * The ids of uploads in progress, so that picking the same file after a reload resumes them. They are deleted with the
 * tab.
 */
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
