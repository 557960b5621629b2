import type { Side } from '../../../../shared/data/blends/join-sql.ts';

/** An error of one side. */
export class SideFailure extends Error {
  readonly side: Side;
  /** How many rows the side has at least, if those are too many. */
  readonly rows: number | undefined;

  constructor(side: Side, cause: unknown, { message = '', rows }: { message?: string; rows?: number } = {}) {
    super(message, { cause });
    this.name = 'SideFailure';
    this.side = side;
    this.rows = rows;
  }
}
