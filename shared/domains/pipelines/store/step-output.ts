import type { DataFile, DatasetColumn } from '../../../data/tables/data-file.ts';

/** The output of a step for later steps. */
export interface StepOutput {
  files: DataFile[];
  columns: DatasetColumn[];
  rows: number;
  bytes: number;
  /** The rows of each port of a route; the counts of the output itself include all ports. */
  ports?: Record<string, PortOutput>;
  /** The watermark of an incremental extract once these rows are loaded; see `watermarks.ts`. */
  watermark?: WatermarkMove;
  increment?: Increment;
  /**
   * Set for rows that were not stored: `files` names files that only the worker had, and another one computes them
   * again.
   */
  fused?: FusedOutput;
}

export interface FusedOutput {
  /** The node that computed the rows. */
  index: number;
  /** The step that reads them. */
  into: string;
  /** How long computing them took, together with the fused rows that they were computed from. */
  ms: number;
  /** Whether one of the steps had an input that was skipped, so that a preview cannot compute the rows again. */
  lacksInput?: true;
}

/** Which rows of its object an incremental extract has read, unless it read it for the first time. */
export interface Increment {
  /** `continued`: those after a watermark; `refreshed`: all of them again. */
  kind: 'continued' | 'refreshed';
}

export type PortOutput = Pick<StepOutput, 'files' | 'rows' | 'bytes'>;

export interface WatermarkMove {
  column: string;
  /** How often the watermark had moved when the extract read it; if it has moved since, the load was overtaken. */
  since?: number;
  from: string | null;
  /** Null if a full refresh found no rows: the next run reads all rows. */
  to: string | null;
  boundary: readonly string[] | null;
  /** The key of a boundary with many rows, among the outputs of the attempt. */
  boundaryObject?: string;
}
