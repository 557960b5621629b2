import { positionAtByte, type TextPosition } from '../../platform/errors/data-error.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { type Typed, UNKNOWN } from './typed.ts';

/** A reason why a statement cannot run in Athena, with its place. */
export interface PortabilityIssue {
  /** A JSON pointer to the text in the settings of the step. */
  pointer?: string;
  message: string;
  /** The position in the text at `pointer`, or in the statement. */
  position?: TextPosition;
}

const MAX_ISSUES = 20;

/** Collects all reasons instead of stopping at the first, so that one change of the text can mend them all. */
export class PortabilityIssues {
  readonly found: PortabilityIssue[] = [];
  readonly #sql: string | undefined;
  readonly #pointer: string | undefined;

  /** `sql` is the checked statement. Without it, reasons have no position. */
  constructor(sql: string | undefined, pointer?: string) {
    this.#sql = sql;
    this.#pointer = pointer;
  }

  add(message: string, node?: TreeNode): Typed {
    if (this.found.length < MAX_ISSUES && !this.found.some((each) => each.message === message)) {
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
