import { cardDrawings, seenParts } from '../../../shared/domains/boards/cards/index.ts';
import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import { snapshotStore } from '../../../shared/domains/stories/snapshots/index.ts';
import { storyStore, storyVersions } from '../../../shared/domains/stories/stories/index.ts';
import { grantReader } from '../../../shared/domains/tenancy/grants/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { openCards } from '../../boards/common/open-cards.ts';
import { type ReadBlockDeps, readBlock, readBlocks } from './read-block.ts';
import { readStoryBlock, readStoryBlocks } from './routes.ts';

const group = openGroup('live-blocks');
const { table } = group;
const { store: dashboards, versions: dashboardVersions, grantOf: dashboardGrantOf, ...charts } = openCards(group);

const deps: ReadBlockDeps = {
  ...charts,
  snapshots: snapshotStore(table),
  dashboardFor: (principal, id) =>
    seenParts({ store: dashboards, versions: dashboardVersions, grantOf: dashboardGrantOf }, { principal, id }),
  drawings: cardDrawings(objectStore(environment('DATA_BUCKET'))),
  themes: themeRepository(table),
  stories: {
    store: storyStore(table),
    versions: storyVersions(table),
    grantOf: grantReader(table, 'story'),
    charts,
    sources: { dashboards, dashboardVersions },
  },
};

export const handler = endpointGroup(
  [
    bind(readStoryBlock, ({ principal, params, query, body }) =>
      readBlock(deps, { ...body, ...params, ...query, principal }),
    ),
    bind(readStoryBlocks, ({ principal, params, query, body, requestId, log }) =>
      readBlocks(deps, {
        ...body,
        ...params,
        ...query,
        principal,
        requestId,
        onError: (error) => log.error('a live block cannot be read', error as Error),
      }),
    ),
  ],
  group,
);
