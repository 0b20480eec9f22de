import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@fleet/contracts/faults';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';
import { writeWhole } from '../state/write-whole';

/**
 * A private file below the user's configuration folder with one value per gateway, so that no value is sent to another
 * gateway.
 */
export class PrivateFile<T> {
  readonly path: string;

  /**
   * @param what description of its content
   * @param isOne type guard of a value
   */
  constructor(
    configFolder: string,
    name: string,
    private readonly what: string,
    private readonly isOne: (value: unknown) => value is T,
  ) {
    this.path = join(configFolder, 'phenix-fleet', name);
  }

  /**
   * The value for this gateway; undefined if there is none.
   * @throws CliError if other users could read it
   */
  async of(server: string): Promise<T | undefined> {
    return (await this.read())[server];
  }

  /** Stores or deletes the value for this gateway. */
  async keep(server: string, one: T | undefined): Promise<void> {
    const others = Object.entries(await this.read()).filter(([other]) => other !== server);
    if (one === undefined && others.length === 0 && !(await this.isThere())) return;
    const all = Object.fromEntries([...others, ...(one === undefined ? [] : [[server, one] as const])]);
    await writeWhole(this.path, all);
  }

  private async isThere(): Promise<boolean> {
    return (await this.text()) !== undefined;
  }

  private async read(): Promise<Readonly<Record<string, T>>> {
    const text = await this.text();
    if (text === undefined) return {};
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (error) {
      throw unreadable(this.path, error);
    }
    if (typeof content === 'object' && content !== null && Object.values(content).every((one) => this.isOne(one)))
      return content as Readonly<Record<string, T>>;
    throw new CliError(
      exitCodes.usage,
      `${this.path} does not contain ${this.what} by gateway. Delete it and log in again.`,
    );
  }

  private async text(): Promise<string | undefined> {
    try {
      const { mode } = await stat(this.path);
      if ((mode & 0o077) !== 0)
        throw new CliError(
          exitCodes.usage,
          `${this.path} contains ${this.what}, and other users can read or write it. Run: chmod 600 ${this.path}`,
        );
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error instanceof CliError ? error : unreadable(this.path, error);
    }
  }
}
