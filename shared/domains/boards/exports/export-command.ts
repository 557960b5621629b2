import type { Principal } from '../../../platform/auth/principal.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { FileContent } from '../../semantics/queries/index.ts';
import type { CardDeps, CardFilter } from '../cards/index.ts';
import type { ChartDeps } from '../charts/index.ts';
import type { DashboardParts } from '../dashboards/index.ts';
import type { Themes } from '../themes/index.ts';
import type { ExportFormat } from './formats.ts';

/** What writing a file needs, whatever it contains. */
export interface WriterDeps extends ChartDeps {
  objects: Pick<ObjectStore, 'readStream' | 'upload'>;
  themes: Themes;
}

export type ExportDeps = CardDeps & WriterDeps;

/** How to write a file. */
export interface ExportOptions {
  principal: Principal;
  format: ExportFormat;
  /** Only the cards of a page; by default those of all pages that are not hidden. */
  pageId?: string | undefined;
  cardIds?: readonly string[] | undefined;
  filters: readonly CardFilter[];
  timezone?: string | undefined;
  /**
   * Of what has no time zone of its own, as metrics have; by default that of the dashboard, of the workspace, or UTC.
   */
  otherwiseIn?: string | undefined;
  /** Of documents and images; by default, as the theme is. */
  theme?: 'light' | 'dark' | undefined;
  /** How long the export may take. */
  timeoutMs: number;
  /** How long the query of a card may take; as in a request by default. */
  queryMs?: number | undefined;
  /** A larger file is not written to its end. */
  maxBytes?: number | undefined;
  /** Ends the export. */
  signal?: AbortSignal | undefined;
  /** Reports what is no error of a card. */
  onError(error: unknown): void;
}

export interface ExportCommand extends ExportOptions {
  dashboardId: string;
}

/** A file, in the bucket if it is large. */
export interface ExportedFile {
  fileName: string;
  contentType: string;
  content: FileContent;
  /** Whether a card has more rows than the file. */
  truncated: boolean;
  /** The number of cards that the file reports as failed. */
  failedCards: number;
  warnings: readonly string[];
  /** What was exported. */
  source: { id: string; name: string };
}

/** What the writer of a format returns. */
export type WrittenFile = Omit<ExportedFile, 'fileName' | 'source'> & { extension: string };

/** The dashboard as its reader sees it. */
export interface SeenDashboard extends DashboardParts {
  name: string;
  description: string;
  /** JSON text of a client; null or undefined for the default theme of the workspace. */
  theme?: string | null;
  timezone?: string | null | undefined;
  /** What readers have chosen beside the filters, in words. */
  chosen?: readonly string[];
}

/** What the export of one format works with. */
export interface ExportContext {
  deps: WriterDeps;
  command: ExportOptions;
  dashboard: SeenDashboard;
  generatedAt: Date;
  /** What restricts the rows of the cards, in words, for the file to say. */
  inForce(): Promise<string[]>;
  /** The milliseconds that are left. */
  leftMs(): number;
  /** Called while the file is written. Throws `RESULT_TOO_LARGE`, the reason of the signal and, once no time is left,
   * `EXPORT_TOO_SLOW`. */
  check(bytesWritten: number): void;
}
