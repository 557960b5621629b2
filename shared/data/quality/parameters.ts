import type { EngineParameter } from '../duckdb/parameters.ts';

/** Values of a statement as it is put together: each is named by its place. */
export class Bound {
  readonly params: EngineParameter[] = [];

  /** Answers what stands for the value in the statement, such as `$3`. */
  value(value: EngineParameter): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  /** A number exactly as it is written, so that decimals are not compared through doubles. */
  number(value: number): string {
    const text = String(value);
    return this.value(/^-?\d+(\.\d+)?$/.test(text) ? { type: 'decimal', text } : value);
  }
}
