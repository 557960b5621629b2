import type { Dialect } from '../catalogue/index.ts';
import type { Typed } from '../language/typed.ts';

/** A column of the statement in which the expression stands. */
export interface SqlColumn {
  /** The alias of a table of the statement. */
  table?: string;
  column: string;
  /**
   * How the database stores it, where that is not the type that the data type suggests: `timestamp` is a datetime
   * without a zone, in UTC; `other` is a type that is cast, such as an enumeration or a UUID that is used as a text.
   */
  stored?: 'timestamp' | 'other';
}

/** Who asks: the values of `user.…` in a policy. They are always bound. */
export interface Principal {
  id: string;
  email: string;
  role: string;
  groups: readonly string[];
  attributes: Readonly<Record<string, string | readonly string[]>>;
}

export type SqlParameter = string | readonly string[];

export interface EmitOptions {
  dialect: Dialect;
  /** The column of a field that has no expression of its own. */
  columnOf(field: { table: string; field: string }): SqlColumn;
  /** The time zone of the query, by its IANA name; UTC by default. */
  timezone?: string;
  /** The moment of the query, for TODAY and NOW. */
  now: Date;
  /** Needed for policies. */
  principal?: Principal;
  /** Whether texts are bound like the values of the user, instead of being written as literals. */
  bindsTexts?: boolean;
  /** The parameters of the statement so far. Those of the expression are added; `$1` is the first of the list. */
  params?: SqlParameter[];
  /** Parts of the tree that the statement computes elsewhere, such as aggregates of a common table expression. */
  replaced?: ReadonlyMap<Typed, SqlColumn>;
}
