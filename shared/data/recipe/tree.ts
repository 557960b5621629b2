import type { EngineParameter } from '../duckdb/parameters.ts';

/** A value of a row. The emitter for an engine quotes names and binds values. */
export type Expression =
  | { kind: 'column'; name: string; of?: Side }
  | { kind: 'value'; value: EngineParameter }
  /** The author's expression, which has passed the SQL check. Its references are bound. */
  | { kind: 'author'; text: string }
  | { kind: 'call'; fn: FunctionName; args: Expression[] }
  | { kind: 'cast'; value: Expression; type: string; lenient: boolean }
  | { kind: 'case'; when: Expression; result: Expression; otherwise: Expression | null }
  | { kind: 'aggregate'; fn: string; of: Expression | null; where?: Expression }
  | { kind: 'window'; fn: string; args: Expression[]; partitionBy: string[]; orderBy: Sorting[]; frame?: Frame };

export type Side = 'left' | 'right';
/** `equals` are the rows that are equal to this one in the order. */
export type Frame = 'before' | 'after' | 'running' | 'equals';

export interface Sorting {
  column: string;
  direction?: 'asc' | 'desc';
}

/** Functions that every emitter must support. */
export type FunctionName =
  | 'trim'
  | 'upper'
  | 'lower'
  | 'title'
  | 'replace'
  | 'replacePattern'
  | 'splitPart'
  | 'joinTexts'
  | 'extractPattern'
  | 'jsonText'
  | 'unnest'
  | 'unnestJson'
  | 'coalesce'
  | 'equals'
  | 'and'
  | 'less'
  | 'greater'
  | 'shareOf'
  | 'failure';

export interface Output {
  name: string;
  value: Expression;
}

/** Rows. Each relation becomes a named subquery. */
export type Relation =
  | { kind: 'table'; name: string }
  | {
      kind: 'select';
      from: Relation;
      outputs: Output[];
      where?: Expression;
      groupBy?: string[];
      /**
       * Keeps the first row of each key; `ties` orders rows that are equal in the order. With `others`, keeps all but
       * those.
       */
      keepFirstOf?: { keys: string[]; orderBy: Sorting[]; ties?: Sorting[]; others?: true };
      orderBy?: Sorting[];
      orderByShare?: { columns: string[]; seed: number };
      limit?: { count: number; offset: number };
    }
  | {
      kind: 'join';
      type: JoinType;
      left: Relation;
      right: Relation;
      on: { left: string; right: string }[];
      outputs: Output[];
    }
  | { kind: 'set'; op: 'union' | 'intersect' | 'except'; all: boolean; inputs: Relation[] };

export type JoinType = 'inner' | 'left' | 'right' | 'full' | 'semi' | 'anti';

export const column = (name: string, of?: Side): Expression => ({ kind: 'column', name, ...(of ? { of } : {}) });
export const value = (content: EngineParameter): Expression => ({ kind: 'value', value: content });
export const call = (fn: FunctionName, ...args: Expression[]): Expression => ({ kind: 'call', fn, args });
