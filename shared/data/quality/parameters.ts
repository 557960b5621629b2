import type { EngineParameter } from '../duckdb/parameters.ts';

/** Collects the values of a statement while it is built. */
export class Bound {
  readonly params: EngineParameter[] = [];

  /** Adds a value and returns its placeholder, such as `$3`. */
  value(value: EngineParameter): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  /** Binds a number exactly as it is written, so that decimals are not compared as doubles. */
  number(value: number): string {
    const text = String(value);
    return this.value(/^-?\d+(\.\d+)?$/.test(text) ? { type: 'decimal', text } : value);
  }
}
