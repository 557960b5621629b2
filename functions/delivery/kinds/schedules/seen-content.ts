import type { CardRows, Reading } from '../../../../shared/domains/boards/cards/index.ts';
import type { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import type { CardRecord, DashboardParts } from '../../../../shared/domains/boards/dashboards/index.ts';

/** What a person sees of a dashboard, report or story that is sent. */
export interface SeenContent extends DashboardParts {
  name: string;
  /** JSON text of a client; null for the default theme of the workspace. */
  theme: string | null;
  /** The page that is sent; null sends every page that is not hidden. */
  pageId: string | null;
  /** What the schedule chooses beside its filters, in words. */
  chosen?: readonly string[];
  /** A text that makes a difference to readers, as the rows do. */
  text?: string;
  /** What is read beside the cards. */
  sources?: readonly ChartSpec['query']['source'][];
  /** Reads the rows of a card; by default, those of its query. */
  rowsOf?(card: CardRecord, reading: Reading): Promise<CardRows>;
}
