import type { Issue } from '../../platform/errors/app-error.ts';
import type { DataType, SqlColumn } from '../expressions/index.ts';
import type { TransformConfig, TransformType } from './configs.ts';

/** A step as it is stored. */
export interface Step {
  id: string;
  type: string;
  config: object;
  isEnabled: boolean;
}

/** A column between two steps; the type is undefined where it is not known. */
export interface ChainColumn {
  name: string;
  type: DataType | undefined;
  /** How the database stores a column of the source that no step has converted. */
  stored?: SqlColumn['stored'];
}

/** Columns by name, in their order; null where the columns of the table are not known. */
export type Columns = ReadonlyMap<string, ChainColumn> | null;

/** The columns after a step, and the issues of its configuration, each with its place in it. */
export interface Bound {
  columns: Columns;
  issues: Issue[];
}

export type Binder<T extends TransformType> = (columns: Columns, config: TransformConfig<T>) => Bound;
