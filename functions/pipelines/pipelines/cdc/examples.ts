import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const created = {
  id: IDS.cdcStream,
  sourceId: IDS.database,
  streamId: 'shop',
  tables: [{ name: 'public.orders', status: 'pending', rows: 0, lastLsn: null, error: null }],
  enabled: true,
  status: 'creating',
  error: null,
  capture: 'polling',
  slotName: 'analytics_shop_15cb56c7',
  walStatus: null,
  retainedWalBytes: null,
  walLimitBytes: 10_737_418_240,
  onWalLimit: 'alert',
  lagSeconds: null,
  confirmedLsn: null,
  committedLsn: null,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
};

const streaming = {
  ...created,
  tables: [{ name: 'public.orders', status: 'streaming', rows: 1200, lastLsn: '00000000/017A5E58', error: null }],
  status: 'streaming',
  walStatus: 'reserved',
  retainedWalBytes: 56,
  lagSeconds: 0.625,
  confirmedLsn: '00000000/017A5E58',
  committedLsn: '00000000/017A5E58',
};

export const examples: ExamplesOf<typeof routes> = {
  listCdcStreams: { reply: page([streaming]) },
  createCdcStream: {
    request: { sourceId: IDS.database, streamId: 'shop', tables: ['public.orders'] },
    reply: created,
  },
  getCdcStream: { reply: streaming },
  updateCdcStream: {
    request: { enabled: false },
    reply: { ...streaming, enabled: false, status: 'paused', updatedAt: CHANGED_AT },
  },
  resyncCdcStream: {
    request: { tables: ['public.orders'] },
    reply: { ...streaming, status: 'snapshotting', updatedAt: CHANGED_AT },
  },
  deleteCdcStream: {},
};
