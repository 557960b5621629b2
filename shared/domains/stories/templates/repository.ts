import type { RichText } from '../../../data/rich-text/index.ts';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import { readSlices, sliceItems } from '../stories/index.ts';

export const MAX_TEMPLATES = 200;

/** A template of the workspace as stored, without its sections. */
export interface TemplateRecord {
  id: string;
  workspaceId: string;
  name: string;
  description: string | null;
  sectionCount: number;
  /** The number of items that hold the sections. */
  slices: number;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
}

export type TemplateContent = readonly { title: string | null; content: RichText }[];

export type NewTemplate = Omit<TemplateRecord, 'slices' | 'sectionCount'>;

export interface TemplateRepository extends Pick<Collection<TemplateRecord>, 'get' | 'readAll'> {
  /** Throws `STORY_TEMPLATE_NOT_FOUND`. */
  readSections(template: TemplateRecord): Promise<TemplateContent>;
  /**
   * A repeated call with the same id returns the stored template. Throws `STORY_TEMPLATE_NAME_TAKEN`, and `STALE_WRITE`
   * if the condition of one of the other items does not hold.
   */
  create(template: NewTemplate, sections: TemplateContent, also: readonly TransactItem[]): Promise<TemplateRecord>;
  /** Throws `STALE_WRITE` if it was removed since it was read. */
  remove(template: TemplateRecord): Promise<void>;
}

const allSlices = ({ workspaceId, id }: Pick<TemplateRecord, 'workspaceId' | 'id'>): Key =>
  workspaceKey(workspaceId, `STORY-TEMPLATE#${id}`, 'SLICE#');

export function templateRepository(table: Table): TemplateRepository {
  const templates = collection<TemplateRecord>(table, {
    entity: 'story-template',
    unique: { of: ({ name }) => name, taken: 'STORY_TEMPLATE_NAME_TAKEN' },
    logs: auditedRecords<TemplateRecord>(table, {
      subject: 'story_template',
      name: ({ name }) => name,
      members: { name: 'shown', description: 'shown', sectionCount: 'shown' },
    }),
  });

  const keyOf = (template: Pick<TemplateRecord, 'workspaceId' | 'id'>, slice: number): Key => {
    const { pk, sk } = allSlices(template);
    return { pk, sk: sk + String(slice).padStart(2, '0') };
  };

  return {
    get: templates.get,
    readAll: templates.readAll,

    async readSections(template) {
      const sections = await readSlices<TemplateContent>(table, allSlices(template));
      if (!sections) throw new AppError('STORY_TEMPLATE_NOT_FOUND');
      return sections;
    },

    async create(template, sections, also) {
      const items = sliceItems(
        table,
        { entity: 'story-template-slice', keyOf: (slice) => keyOf(template, slice) },
        sections,
      );
      const record = { ...template, sectionCount: sections.length, slices: items.length };
      try {
        return await templates.create(record, [...items, ...also]);
      } catch (cause) {
        if (failedConditions(cause).size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    },

    remove: (template) =>
      templates.remove(
        template,
        'STALE_WRITE',
        Array.from({ length: template.slices }, (_, slice) => ({
          Delete: { TableName: table.name, Key: keyOf(template, slice) },
        })),
      ),
  };
}
