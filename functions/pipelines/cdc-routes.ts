import { CdcResync, CdcStream, CdcStreamPatch, NewCdcStream } from '../../shared/domains/cdc/index.ts';
import { defineRoute } from '../../shared/platform/http/route.ts';
import { IdParams, ListQuery, Page } from '../../shared/platform/http/schemas.ts';

const CdcStreamPage = Page(CdcStream);
const read = { permission: 'pipelines:read', product: 'pipelines' } as const;
const write = { permission: 'pipelines:write', product: 'pipelines' } as const;

export const listCdcStreams = defineRoute({
  operationId: 'listCdcStreams',
  method: 'GET',
  path: '/api/pipelines/cdc-streams',
  summary: 'List the CDC streams with how far they are',
  ...read,
  query: ListQuery,
  success: { status: 200, body: CdcStreamPage },
  errors: ['OFFSET_TOO_LARGE'],
});

export const createCdcStream = defineRoute({
  operationId: 'createCdcStream',
  method: 'POST',
  path: '/api/pipelines/cdc-streams',
  summary: 'Follow the changes of tables of a Postgres source',
  description:
    'The source is looked at first; whatever it lacks is an issue of the reply, with the SQL that mends it. A snapshot of each table comes first, then every change since. Pipelines read both with an extract of `{"stream"}`.',
  ...write,
  body: NewCdcStream,
  success: { status: 201, body: CdcStream },
  errors: [
    'DATA_SOURCE_NOT_FOUND',
    'DATA_SOURCE_UNREACHABLE',
    'SOURCE_NOT_CAPTURABLE',
    'SOURCE_NOT_READY',
    'CDC_STREAM_ID_TAKEN',
  ],
  idempotent: true,
});

export const getCdcStream = defineRoute({
  operationId: 'getCdcStream',
  method: 'GET',
  path: '/api/pipelines/cdc-streams/{id}',
  summary: 'Read a CDC stream and how far it is',
  ...read,
  params: IdParams,
  success: { status: 200, body: CdcStream },
  errors: ['CDC_STREAM_NOT_FOUND'],
});

export const updateCdcStream = defineRoute({
  operationId: 'updateCdcStream',
  method: 'PATCH',
  path: '/api/pipelines/cdc-streams/{id}',
  summary: 'Pause a CDC stream, let it go on, or change its tables',
  description:
    'While a stream is paused the source keeps its log for it. A table that joins gets a snapshot of its own; the others go on.',
  ...write,
  params: IdParams,
  body: CdcStreamPatch,
  success: { status: 200, body: CdcStream },
  errors: ['CDC_STREAM_NOT_FOUND', 'CDC_STREAM_DELETING', 'DATA_SOURCE_UNREACHABLE', 'SOURCE_NOT_READY'],
});

export const resyncCdcStream = defineRoute({
  operationId: 'resyncCdcStream',
  method: 'POST',
  path: '/api/pipelines/cdc-streams/{id}/resync',
  summary: 'Take a new snapshot',
  description:
    'Of the given tables, or of all with a new slot: the way on after `SLOT_LOST`, and for a table that stopped with an error. Whoever reads the stream sees the old rows go that are not in the snapshot.',
  ...write,
  params: IdParams,
  body: CdcResync,
  optionalBody: true,
  success: { status: 202, body: CdcStream },
  errors: ['CDC_STREAM_NOT_FOUND', 'CDC_STREAM_DELETING', 'CDC_TABLE_UNKNOWN'],
  idempotent: true,
});

export const deleteCdcStream = defineRoute({
  operationId: 'deleteCdcStream',
  method: 'DELETE',
  path: '/api/pipelines/cdc-streams/{id}',
  summary: 'Delete a CDC stream',
  description:
    'Its slot and publication are dropped within a minute, or as soon as the source can be reached; until then the stream is shown as `deleting`.',
  ...write,
  params: IdParams,
  success: { status: 204 },
  errors: ['CDC_STREAM_NOT_FOUND'],
});
