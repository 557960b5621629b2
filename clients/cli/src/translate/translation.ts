import type { ColumnTypes } from './model.ts';
import type { Report } from './report.ts';
import type { Members } from './values.ts';

/** A file that is made: an object of the platform. */
export interface Definition {
  kind: string;
  key: string;
  members: Members;
}

/** What the caller knows of the tables, and how the model is called where the files do not say. */
export interface Target {
  name: string | undefined;
  /** The key of the data source, or `datasets`. */
  source: string;
  /** The schema of the tables there. */
  schema: string | undefined;
  types: ColumnTypes;
  /** The one of several databases whose questions are wanted. */
  database: string | undefined;
}

/** Reads the files of another tool. What has no counterpart is noted. */
export type Translator = (folder: string, target: Target, report: Report) => Promise<Definition[]>;
