import type { ReportLayout, ReportParameter } from './schemas.ts';

/** A report as lists need it. */
export interface ReportRecord {
  id: string;
  workspaceId: string;
  name: string;
  description: string;
  isPublished: boolean;
  ownerId: string;
  blockCount: number;
  deletedAt: string | null;
  deletedBy: string | null;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

/** What a report shows, which is stored separately. */
export interface ReportContent {
  layout: ReportLayout;
  parameters: ReportParameter[];
}

export interface Report extends ReportRecord, ReportContent {}
