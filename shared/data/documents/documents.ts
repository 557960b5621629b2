import type { Readable } from 'node:stream';
import { timeText } from '../../platform/text/time-text.ts';
import type { ChartColumn, ChartData } from '../charts/chart-columns.ts';
import type { ChartLook } from '../charts/chart-look.ts';
import type { ThemeTokens } from '../charts/theme.ts';

/** A dashboard as every kind of document takes it, with the rows of its cards. */
export interface DashboardDocument {
  title: string;
  description: string;
  timezone: string;
  /** An ISO 8601 instant. */
  generatedAt: string;
  /** When the oldest rows were computed, as an ISO 8601 instant; null without rows. */
  asOf: string | null;
  /** What restricts the rows, in words. */
  filters: readonly string[];
  theme: ThemeTokens;
  pages: readonly DocumentPage[];
}

export interface DocumentPage {
  name: string;
  cards: readonly DocumentCard[];
}

export interface DocumentCard {
  title: string;
  description: string;
  /** The place on the grid of 24 columns. */
  position: { x: number; y: number; w: number; h: number };
  content: CardContent;
}

export type CardContent =
  | { kind: 'chart'; look: ChartLook; data: ChartData; truncated: boolean; asOf: string; timezone: string }
  | { kind: 'text'; text: string }
  | { kind: 'divider' }
  /** Why the card cannot be shown. */
  | { kind: 'problem'; problem: string };

/** The rows of a card for a file of rows: CSV that is read piece by piece, or why there are none. */
export interface DocumentSheet {
  title: string;
  columns: readonly ChartColumn[];
  /** The CSV of `csvLine`, with a line of headings. */
  csv: (() => Promise<Readable>) | undefined;
  truncated: boolean;
  asOf?: string;
  timezone?: string;
  problem?: string;
  ignoredFilters?: readonly string[];
}

/** When the data is from, when the document was created, and in which time zone its times are. */
export const timesLine = ({
  asOf,
  generatedAt,
  timezone,
}: Pick<DashboardDocument, 'asOf' | 'generatedAt' | 'timezone'>): string =>
  [
    ...(asOf === null ? [] : [`Data as of ${timeText(asOf, timezone)}`]),
    `Created ${timeText(generatedAt, timezone)}`,
    `Time zone ${timezone}`,
  ].join(' · ');

/** One line for all filters; none without. */
export const filtersLines = ({ filters }: Pick<DashboardDocument, 'filters'>): string[] =>
  filters.length === 0 ? [] : [`Filters: ${filters.join(' · ')}`];

/** Called before each card is drawn; throws if the document takes too long. */
export type BeforeCard = () => void;

/** What a file of rows says about itself. */
export interface SheetsAbout {
  title: string;
  description: string;
  timezone: string;
  generatedAt: string;
  /** What restricts the rows, in words. */
  filters: readonly string[];
  /** Said of sheets with more rows. */
  truncationNote: string;
}
