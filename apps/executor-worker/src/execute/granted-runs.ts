/** Reports runs that got a slot while another one was processed, so that their launch need not wait for the sweeper. */
export class GrantedRuns {
  private listener: ((names: readonly string[]) => void) | undefined;

  onGranted(listener: (names: readonly string[]) => void): void {
    this.listener = listener;
  }

  tell(names: readonly string[]): void {
    if (names.length > 0) this.listener?.(names);
  }
}
