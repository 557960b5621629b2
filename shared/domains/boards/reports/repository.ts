import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import { withReferences } from '../../../platform/storage/references.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { useItems } from '../../../platform/storage/uses.ts';
import { endOfCertification, guardingCertification } from '../../tenancy/certifications/index.ts';
import type { Report, ReportContent, ReportRecord } from './records.ts';
import { usesOfReport } from './uses-of-report.ts';

const MAX_READS = 8;

/** The record and the content of a report share a partition. */
const partKey = (workspaceId: string, id: string, sk: string): Key => workspaceKey(workspaceId, `REPORT#${id}`, sk);

export interface ReportRepository extends Pick<Collection<ReportRecord>, 'key' | 'get' | 'readAll'> {
  /** The report with its content; undefined if there is none. */
  read(workspaceId: string, id: string): Promise<Report | undefined>;
  /** Throws `REPORT_NAME_TAKEN` or `STALE_WRITE`. A repeated call returns the stored report. */
  create(report: Report): Promise<Report>;
  /** Throws the same code, or `STALE_WRITE`. */
  replace(previous: Report, next: Report, also?: TransactItem[]): Promise<Report>;
  /** For a transaction that needs the report: fails once it is deleted. */
  presentItem(workspaceId: string, id: string): TransactItem;
  /** Fails the transaction if the report has changed since it was read. */
  unchangedItem(report: ReportRecord): TransactItem;
  /** Removes a report that was deleted and can no longer be restored. */
  purge(record: ReportRecord): Promise<void>;
}

/** Deleting a report frees its name. */
export function reportRepository(table: Table): ReportRepository {
  const options = {
    entity: 'report',
    versioned: true,
    key: (workspaceId: string, id: string) => partKey(workspaceId, id, 'META'),
    unique: {
      of: ({ id, name, deletedAt }: ReportRecord) => (deletedAt === null ? name : `deleted report ${id}`),
      taken: 'REPORT_NAME_TAKEN',
    },
  } as const;
  const unlogged = collection<ReportRecord>(table, options);
  const logging = (before: Report | undefined, after: Report) =>
    collection<ReportRecord>(table, {
      ...options,
      logs: guardingCertification<ReportRecord>(
        table,
        { type: 'report', isOther: before !== undefined && meaningOf(before) !== meaningOf(after) },
        auditedRecords<ReportRecord>(table, {
          subject: 'report',
          name: ({ name }) => name,
          members: { name: 'shown', description: 'shown', isPublished: 'shown', deletedAt: 'shown' },
          parts: changedContent(before, after),
        }),
      ),
    });
  /** `ofRevision` says whether an item belongs to the record that was read with it. */
  const contentItem = ({ workspaceId, id, layout, parameters }: Report, ofRevision: number): TransactItem => ({
    Put: {
      TableName: table.name,
      Item: { ...partKey(workspaceId, id, 'CONTENT'), entity: 'report-content', layout, parameters, ofRevision },
    },
  });

  async function read(workspaceId: string, id: string): Promise<Report | undefined> {
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const items = await Array.fromAsync(itemsBelow(table, partKey(workspaceId, id, '')));
      const [record, content] = ['META', 'CONTENT'].map((sk) => items.find((item) => item.sk === sk));
      if (!record) return undefined;
      // A query is no snapshot: the items may be of different moments.
      if (!content || content.ofRevision !== record.revision) continue;
      const { ofRevision: _ofRevision, ...shown } = toRecord<ReportContent & { ofRevision: number }>(content);
      return { ...toRecord<ReportRecord>(record), ...shown };
    }
    throw new AppError('SERVICE_BUSY');
  }

  return {
    key: unlogged.key,
    get: unlogged.get,
    readAll: unlogged.readAll,
    read,
    async create(report) {
      const uses = await useItems(table, referrerOf(report), { before: [], after: usesOfReport(report) });
      const { id, workspaceId } = await withReferences(
        uses,
        (items) => logging(undefined, report).create(recordOf(report), [contentItem(report, 1), ...items]),
        stale,
      );
      return (await read(workspaceId, id)) ?? report;
    },
    async replace(previous, next, also = []) {
      const [before, after] = [previous, next].map(usesOfReport);
      const uses = await useItems(table, referrerOf(next), { before: before!, after: after! });
      const content = contentItem(next, previous.revision + 1);
      const record = await withReferences(
        uses,
        (items) =>
          logging(previous, next).replace(recordOf(previous), recordOf(next), 'STALE_WRITE', [
            content,
            ...also,
            ...items,
          ]),
        stale,
      );
      return { ...next, ...record };
    },
    presentItem: (workspaceId, id) => ({
      ConditionCheck: {
        TableName: table.name,
        Key: partKey(workspaceId, id, 'META'),
        ConditionExpression: 'attribute_type(deletedAt, :none)',
        ExpressionAttributeValues: { ':none': 'NULL' },
      },
    }),
    unchangedItem: ({ workspaceId, id, revision }) => ({
      ConditionCheck: {
        TableName: table.name,
        Key: partKey(workspaceId, id, 'META'),
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeValues: { ':seen': revision },
      },
    }),
    async purge(record) {
      const { workspaceId, id } = record;
      const Key = partKey(workspaceId, id, 'CONTENT');
      return unlogged.remove(record, 'STALE_WRITE', [
        { Delete: { TableName: table.name, Key } },
        ...(await endOfCertification(table, { workspaceId, type: 'report', id })),
      ]);
    },
  };
}

const referrerOf = ({ workspaceId, id }: Report) => ({ workspaceId, type: 'report', id }) as const;
/** Something that the report shows was deleted in between. */
const stale = (cause: unknown) => new AppError('STALE_WRITE', { cause });

const recordOf = ({ layout, parameters: _parameters, ...record }: Report): ReportRecord => ({
  ...record,
  blockCount: layout.blocks.length,
});

/** The log contains the sizes of long layouts, not their texts. */
function changedContent(before: Report | undefined, after: Report) {
  const isSame = before && JSON.stringify(contentOf(before)) === JSON.stringify(contentOf(after));
  return isSame ? { before: {}, after: {} } : { before: before ? contentOf(before) : {}, after: contentOf(after) };
}

const contentOf = ({ layout, parameters }: Report) => ({ layout, parameters });

/** What the report shows and says, without titles, descriptions, heights and looks. */
const meaningOf = ({ layout, parameters }: Report): string =>
  JSON.stringify([
    layout.blocks.map((block) => {
      if ('chartSpec' in block) return [block.id, block.type, block.chartSpec.query, block.bindings];
      if ('imageUrl' in block) return [block.id, block.imageUrl];
      return [block.id, block.type === 'text' ? block.text : null];
    }),
    parameters.map(({ label: _label, ...parameter }) => parameter),
  ]);
