import { positionAtByte, type TextPosition } from '../../platform/errors/data-error.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { type Typed, UNKNOWN } from './typed.ts';

/** Why a statement cannot move to Athena, and where in it the reason stands. */
export interface Refusal {
  /** Where the text stands, as a pointer into the settings of the step. */
  pointer?: string;
  message: string;
  /** In the text at `pointer`, or in the statement. */
  position?: TextPosition;
}

const MAX_REFUSALS = 20;

/** Collects every reason instead of stopping at the first: one change of the text should do. */
export class Refusals {
  readonly found: Refusal[] = [];
  readonly #sql: string | undefined;
  readonly #pointer: string | undefined;

  /** `sql` is the checked statement; without one, reasons are told by `pointer` alone. */
  constructor(sql: string | undefined, pointer?: string) {
    this.#sql = sql;
    this.#pointer = pointer;
  }

  add(message: string, node?: TreeNode): Typed {
    if (this.found.length < MAX_REFUSALS && !this.found.some((each) => each.message === message)) {
      const at = node?.query_location;
      const position = at === undefined || this.#sql === undefined ? undefined : positionAtByte(this.#sql, at);
      this.found.push({
        ...(this.#pointer === undefined ? {} : { pointer: this.#pointer }),
        message,
        ...(position ? { position } : {}),
      });
    }
    return UNKNOWN;
  }
}
