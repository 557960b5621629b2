import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  CDC_STREAM_STATUSES,
  CdcStream,
  CreateCdcStream,
  ResyncCdcStream,
  UpdateCdcStream,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { Id, idParams, Page, SortedListQuery, StringEnum } from '../../../../shared/platform/http/schemas.ts';

const CdcStreamPage = Page(CdcStream);
const CdcStreamParams = idParams('CDC stream');
const CdcStreamsQuery = Type.Object({
  ...SortedListQuery.properties,
  sourceId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only streams of this data source.' })),
  status: Type.Optional(StringEnum(CDC_STREAM_STATUSES, { description: 'Only streams with this status.' })),
});
export type CdcStreamsQuery = Static<typeof CdcStreamsQuery>;
const read = { permission: 'pipelines:read', product: 'pipelines' } as const;
const write = { permission: 'pipelines:write', product: 'pipelines' } as const;

export const listCdcStreams = defineRoute({
  operationId: 'listCdcStreams',
  method: 'GET',
  path: '/api/pipelines/cdc-streams',
  summary: 'List CDC streams',
  ...read,
  query: CdcStreamsQuery,
  success: { status: 200, body: CdcStreamPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createCdcStream = defineRoute({
  operationId: 'createCdcStream',
  method: 'POST',
  path: '/api/pipelines/cdc-streams',
  summary: 'Create a CDC stream',
  description:
    'Follows tables of a Postgres source: a snapshot of each table comes first, then every change. The source is checked first; the reply lists what it lacks, with the SQL to fix it. Pipelines read the stream with an extract of `{"stream"}`.',
  ...write,
  body: CreateCdcStream,
  success: { status: 201, body: CdcStream },
  errors: [
    'RLS_COPY',
    'DATA_SOURCE_NOT_FOUND',
    'DATA_SOURCE_UNREACHABLE',
    'SOURCE_NOT_CAPTURABLE',
    'SOURCE_NOT_READY',
    'CDC_STREAM_ID_TAKEN',
  ],
  idempotent: true,
  audit: 'cdc_stream.created',
});

export const getCdcStream = defineRoute({
  operationId: 'getCdcStream',
  method: 'GET',
  path: '/api/pipelines/cdc-streams/{id}',
  summary: 'Get a CDC stream',
  ...read,
  params: CdcStreamParams,
  success: { status: 200, body: CdcStream },
  errors: ['CDC_STREAM_NOT_FOUND'],
});

export const updateCdcStream = defineRoute({
  operationId: 'updateCdcStream',
  method: 'PATCH',
  path: '/api/pipelines/cdc-streams/{id}',
  summary: 'Update a CDC stream',
  description:
    'Pauses or resumes the stream, or changes its tables. While the stream is paused, the source retains its log. A new table gets a snapshot of its own; the others continue.',
  ...write,
  params: CdcStreamParams,
  body: UpdateCdcStream,
  success: { status: 200, body: CdcStream },
  errors: ['CDC_STREAM_NOT_FOUND', 'CDC_STREAM_DELETING', 'DATA_SOURCE_UNREACHABLE', 'SOURCE_NOT_READY', 'RLS_COPY'],
  audit: 'cdc_stream.updated',
});

export const resyncCdcStream = defineRoute({
  operationId: 'resyncCdcStream',
  method: 'POST',
  path: '/api/pipelines/cdc-streams/{id}/resync',
  summary: 'Resync a CDC stream',
  description:
    'Takes a new snapshot of the given tables, or of all with a new slot: after `SLOT_LOST`, or when a table has stopped with an error. Readers see rows removed that are not in the new snapshot.',
  ...write,
  params: CdcStreamParams,
  body: ResyncCdcStream,
  optionalBody: true,
  success: { status: 202, body: CdcStream },
  errors: ['CDC_STREAM_NOT_FOUND', 'CDC_STREAM_DELETING', 'CDC_TABLE_UNKNOWN'],
  idempotent: true,
  audit: 'cdc_stream.resynced',
});

export const deleteCdcStream = defineRoute({
  operationId: 'deleteCdcStream',
  method: 'DELETE',
  path: '/api/pipelines/cdc-streams/{id}',
  summary: 'Delete a CDC stream',
  description:
    'Its slot and publication are dropped within a minute, or as soon as the source can be reached. Until then its status is `deleting`.',
  ...write,
  params: CdcStreamParams,
  success: { status: 204 },
  errors: ['CDC_STREAM_NOT_FOUND'],
  audit: 'cdc_stream.deleted',
});
