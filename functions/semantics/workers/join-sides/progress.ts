import { SIDES, type Side } from '../../../../shared/data/blends/join-sql.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { SideFailure } from './side-failure.ts';

/** Which sides are being read, so that an error of the watchdog can name one. */
export class Progress {
  readonly #reading = new Set<Side>();
  #interrupted: Side | undefined;

  /** Throws `SideFailure`. */
  async read<T>(side: Side, work: () => Promise<T>): Promise<{ value: T; ms: number }> {
    const startedAt = performance.now();
    this.#reading.add(side);
    try {
      return { value: await work(), ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      throw error instanceof SideFailure ? error : new SideFailure(side, error);
    } finally {
      this.#reading.delete(side);
    }
  }

  /** Called before the work is interrupted, which ends the sides that are being read. */
  interrupt(): void {
    this.#interrupted ??= SIDES.find((side) => this.#reading.has(side));
  }

  /** The error with the side that took too long or too much memory. */
  named(error: unknown): unknown {
    const side = this.#interrupted;
    return side !== undefined && error instanceof DataError ? new SideFailure(side, error) : error;
  }
}
