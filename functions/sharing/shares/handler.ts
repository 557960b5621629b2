import { cardDrawings, LIVE_CARD_MAX_AGE_SECONDS } from '../../../shared/domains/boards/cards/index.ts';
import type { ChartDeps } from '../../../shared/domains/boards/charts/index.ts';
import { dashboardStore } from '../../../shared/domains/boards/dashboards/index.ts';
import { themeRepository } from '../../../shared/domains/boards/themes/index.ts';
import {
  aiQuota,
  drawingQuota,
  linkEvents,
  linkedContents,
  linkPasswords,
  linkResolver,
  linkViews,
  queryQuota,
  shareRepository,
} from '../../../shared/domains/sharing/shares/index.ts';
import { aiFunction } from '../../../shared/platform/ai/function/client.ts';
import { passwords } from '../../../shared/platform/auth/password.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { bind, bindPublic } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { objectStore } from '../../../shared/platform/objects/object-store.ts';
import { openCharts } from '../../boards/common/open-charts.ts';
import * as routes from './routes.ts';
import { askShared } from './use-cases/ask-shared.ts';
import { createShare, deleteShare, listShares, setShareAi } from './use-cases/manage-shares.ts';
import {
  downloadSharedCard,
  drawSharedCard,
  getSharedLink,
  openContent,
  readSharedBlock,
  readSharedCard,
  readSharedCards,
  readSharedModelCard,
  recordEvents,
} from './use-cases/read-shared.ts';

const group = openGroup('shares');
const { table, now } = group;
const objects = objectStore(environment('DATA_BUCKET'));
const charts: ChartDeps = {
  ...openCharts(group),
  liveMaxAgeSeconds: LIVE_CARD_MAX_AGE_SECONDS,
};
const hashes = passwords(Number(environment('PASSWORD_COST')));
const shares = shareRepository(table);
const contents = linkedContents(table);
const deps = {
  ...charts,
  drawings: cardDrawings(objects),
  themes: themeRepository(table),
  shares,
  views: linkViews(group, shares),
  events: linkEvents(group, shares),
  ...contents,
  sectionRights: { charts, sources: { dashboards: dashboardStore(table), dashboardVersions: contents.versions } },
  quota: aiQuota(table),
  queryQuota: queryQuota(table),
  drawingQuota: drawingQuota(table),
  ai: aiFunction(environment('AI_FUNCTION')),
  passwords: hashes,
  linkPasswords: linkPasswords(group, hashes),
  resolve: linkResolver(table),
  now,
};

export const handler = endpointGroup(
  [
    bind(routes.listShares, ({ principal, query }) => listShares(deps, principal, query)),
    bind(routes.createShare, ({ principal, newId: id, body: share, headers }) =>
      createShare(deps, { principal, id, share, baseUrl: baseUrl(headers) }),
    ),
    bind(routes.deleteShare, ({ principal, params: { id } }) => deleteShare(deps, { principal, id })),
    bind(routes.setShareAi, ({ principal, params: { id }, body: change }) =>
      setShareAi(deps, { principal, id, change }),
    ),
    bindPublic(routes.getSharedLink, ({ params: { id: token } }) => getSharedLink(deps, token)),
    bindPublic(routes.openSharedContent, ({ params, body, sourceIp, headers }) =>
      openContent(deps, { ...params, ...body, sourceIp, userAgent: headers['user-agent'] }),
    ),
    bindPublic(routes.getSharedContent, ({ params, query, sourceIp, headers }) =>
      openContent(deps, { ...params, ...query, sourceIp, userAgent: headers['user-agent'] }),
    ),
    bindPublic(routes.readSharedCard, ({ params, body, sourceIp }) =>
      readSharedCard(deps, { ...params, ...body, sourceIp }),
    ),
    bindPublic(routes.readSharedCards, ({ params, body, sourceIp, requestId, log }) =>
      readSharedCards(deps, {
        ...params,
        ...body,
        sourceIp,
        requestId,
        onError: (error) => log.error('a shared card cannot be read', error as Error),
      }),
    ),
    bindPublic(routes.readSharedModelCard, ({ params, body, sourceIp }) =>
      readSharedModelCard(deps, { ...params, ...body, sourceIp }),
    ),
    bindPublic(routes.readSharedBlock, ({ params, body, sourceIp }) =>
      readSharedBlock(deps, { ...params, ...body, sourceIp }),
    ),
    bindPublic(routes.drawSharedCard, ({ params, body, sourceIp }) =>
      drawSharedCard(deps, { ...params, ...body, sourceIp }),
    ),
    bindPublic(routes.downloadSharedCard, ({ params, body, sourceIp }) =>
      downloadSharedCard(deps, { ...params, ...body, sourceIp }),
    ),
    bindPublic(routes.askShared, ({ params, body, sourceIp }) => askShared(deps, { ...params, ...body, sourceIp })),
    bindPublic(routes.recordSharedEvents, ({ params, body, sourceIp, headers }) =>
      recordEvents(deps, { ...params, ...body, sourceIp, userAgent: headers['user-agent'] }),
    ),
  ],
  group,
);
