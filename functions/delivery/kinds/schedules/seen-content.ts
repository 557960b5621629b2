import type { DashboardParts } from '../../../../shared/domains/boards/dashboards/index.ts';

/** What a person sees of a dashboard or report that is sent. */
export interface SeenContent extends DashboardParts {
  name: string;
  /** JSON text of a client; null for the default theme of the workspace. */
  theme: string | null;
  /** The page that is sent; null sends every page that is not hidden. */
  pageId: string | null;
  /** What the schedule chooses beside its filters, in words. */
  chosen?: readonly string[];
}
