import type { StoredJob } from '../../../platform/jobs/record.ts';

/** The result of an export of a workspace. */
export interface ExportResult extends Record<string, unknown> {
  bytes: number;
  /** The number of files in the archive. */
  files: number;
  /** How much the archive does not contain: its manifest lists it. */
  leftOut: number;
  /** What the admin saw of the datasets, as a class; not shown. */
  rights: string;
}

/**
 * The archive of an export. Each attempt writes its own, which expires after two days; only that of the last one is
 * ever read.
 */
export const exportKey = ({ workspaceId, id, attempt }: Pick<StoredJob, 'workspaceId' | 'id' | 'attempt'>): string =>
  `results/${workspaceId}/exports/${id}-${attempt}.zip`;
