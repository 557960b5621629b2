import { HourlyCount } from './hourly-count.ts';
import type { EventCounts, LinkReader } from './records.ts';
import { countedBy, type ShareRepository } from './share-repository.ts';
import { isFirstInWindow, type Visitor, type VisitorDeps, visitorMark } from './visitor-mark.ts';

/** More than a reader does in an hour. */
export const MAX_VISITOR_EVENTS = 500;

export interface LinkEvents {
  /** Returns how many of the events were counted. */
  count(reader: LinkReader, visitor: Visitor, events: EventCounts): Promise<number>;
}

/**
 * Counts what the pages of readers report. Reports cannot be verified, so a visitor adds one view in half an hour, as
 * with views that the platform counts itself, and a limited number of other events in a clock hour. The rest is
 * dropped: no reader has to act on it.
 */
export function linkEvents(deps: VisitorDeps, shares: Pick<ShareRepository, 'count'>): LinkEvents {
  const events = new HourlyCount(deps.table, 'LINK-EVENTS');

  return {
    async count(reader, visitor, { view = 0, ...others }) {
      const place = countedBy(reader);
      const { workspaceId } = place;
      const mark = await visitorMark(deps, place, visitor);
      const counted: EventCounts = {};
      if (view > 0 && (await isFirstInWindow(deps.table, workspaceId, 'LINK-VIEW-EVENT', mark))) counted.view = 1;
      const more = sumOf(others);
      if (more > 0 && (await events.add(workspaceId, mark, MAX_VISITOR_EVENTS, more)) !== undefined)
        Object.assign(counted, others);
      const recorded = sumOf(counted);
      if (recorded > 0) await shares.count(place, { events: counted });
      return recorded;
    },
  };
}

const sumOf = (events: EventCounts): number => Object.values(events).reduce((sum, count) => sum + count, 0);
