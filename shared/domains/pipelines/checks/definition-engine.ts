import type { Column } from '../../../data/duckdb/column-types.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import type { EngineFunction } from '../../engine/index.ts';
import type { Dag, ExtractColumns, PortableStep, ReferenceValues, StepLineage } from '../definition/index.ts';

/** What the engine function does with definitions of pipelines, besides its general operations. */
export type DefinitionRequest = LineageRequest | ColumnsRequest | PortableRequest;

/** Finds the origin of the columns of each step of a valid definition. `columns` are those of extracts, by step. */
export interface LineageRequest {
  op: 'lineage';
  dag: Dag;
  columns: Record<string, Column[]>;
}

export type LineageAnswer = StepLineage[];

/** Finds columns that the texts of a definition name and that do not exist. */
export interface ColumnsRequest {
  op: 'columns';
  dag: Dag;
  /** Ids of steps with other issues. */
  broken: string[];
  /** The columns of what the extracts read, as far as they are known. */
  extracts: ExtractColumns;
}

export type ColumnsAnswer = Issue[];

/** Checks whether a transform_sql step can move to Athena, without running it or reading files. */
export interface PortableRequest {
  op: 'portable';
  config: Record<string, unknown>;
  /** The columns of each input, by alias. */
  inputs: Record<string, Column[]>;
  values: ReferenceValues;
}

export type PortableAnswer = PortableStep;

/** Each throws the errors of the texts, as `EngineFunction.query` does. */
export interface DefinitionEngine {
  lineage(request: Omit<LineageRequest, 'op'>): Promise<LineageAnswer>;
  columnIssues(request: Omit<ColumnsRequest, 'op'>): Promise<ColumnsAnswer>;
  portable(request: Omit<PortableRequest, 'op'>): Promise<PortableAnswer>;
}

/** The engine with its operations on definitions. */
export function definitionEngine(engine: EngineFunction): EngineFunction & DefinitionEngine {
  const run = <Answer>(request: DefinitionRequest) => engine.run<Answer>(request);
  return {
    ...engine,
    lineage: (request) => run<LineageAnswer>({ op: 'lineage', ...request }),
    columnIssues: (request) => run<ColumnsAnswer>({ op: 'columns', ...request }),
    portable: (request) => run<PortableAnswer>({ op: 'portable', ...request }),
  };
}
