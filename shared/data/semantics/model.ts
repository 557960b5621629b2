import type { FiscalCalendar } from '../../platform/schedule/fiscal-years.ts';
import type { DataType } from '../expressions/index.ts';

/** The part of a semantic model that questions are answered from. Ids are unique within the model. */
export interface SemanticModel {
  tables: readonly ModelTable[];
  fields: readonly ModelField[];
  relationships: readonly Relationship[];
  /** What fiscal periods are those of; by default, years begin in January. */
  calendar?: FiscalCalendar | null;
}

export interface ModelTable {
  id: string;
  /** Unique in the model; expressions name fields by it. */
  alias: string;
}

export interface ModelField {
  id: string;
  tableId: string;
  name: string;
  dataType: DataType;
}

/** How the rows of two tables belong together. The `from` end of `1:N` is the one, its `to` end the many. */
export interface Relationship {
  id: string;
  from: FieldOfTable;
  to: FieldOfTable;
  cardinality: '1:1' | '1:N' | 'N:M';
  /** Which rows without a partner are kept; `join-graph.ts` has the rule. */
  joinType: JoinType;
  isActive: boolean;
}

export interface FieldOfTable {
  tableId: string;
  fieldId: string;
}

export type JoinType = 'inner' | 'left' | 'right' | 'full';
