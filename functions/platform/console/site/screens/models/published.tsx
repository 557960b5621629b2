import type { Types } from '../../data/client.ts';

type Model = Pick<Types.Model, 'status' | 'latestVersion' | 'hasUnpublishedChanges'>;

/** Which version others see as the latest, and whether there are changes since. */
export const Published = ({ model: { status, latestVersion, hasUnpublishedChanges } }: { model: Model }) =>
  status === 'draft' ? (
    <span>not published</span>
  ) : (
    <span>
      version {latestVersion}
      {hasUnpublishedChanges && <span class="hint">, changed since</span>}
    </span>
  );
