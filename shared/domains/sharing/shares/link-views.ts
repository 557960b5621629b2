import type { LinkReader } from './records.ts';
import { countedBy, type ShareRepository } from './share-repository.ts';
import { isFirstInWindow, type Visitor, type VisitorDeps, visitorMark } from './visitor-mark.ts';

export interface LinkViews {
  count(reader: LinkReader, visitor: Visitor): Promise<void>;
}

/** Counts a view once for each visitor and half hour, so that one reader cannot inflate the count. */
export function linkViews(deps: VisitorDeps, shares: Pick<ShareRepository, 'count'>): LinkViews {
  return {
    async count(reader, visitor) {
      const place = countedBy(reader);
      const mark = await visitorMark(deps, place, visitor);
      if (await isFirstInWindow(deps.table, place.workspaceId, 'LINK-VIEW', mark))
        await shares.count(place, { views: 1 });
    },
  };
}
