import type { Types } from '../../data/client.ts';
import { Status } from '../../ui/status.tsx';

type Staged = Pick<Types.DashboardSummary, 'isPublished' | 'hasUnpublishedChanges' | 'stage'>;

/** What viewers see of a dashboard, and whether its editors have gone on. */
export function Stage({ dashboard: { isPublished, hasUnpublishedChanges, stage } }: { dashboard: Staged }) {
  if (!isPublished) return <Status kind="skipped" label={stage === 'review' ? 'in review' : 'draft'} />;
  if (hasUnpublishedChanges) return <Status kind="waiting" label="changed since" />;
  return <Status kind="succeeded" label="published" />;
}
