import { AppError } from '../../../../platform/errors/app-error.ts';
import { inSchemaOrder } from '../../../../platform/validation/schema-order.ts';
import { readYamlFile, writeYamlFile, type YamlFile } from '../../../../platform/validation/yaml-file.ts';
import type { DashboardBody, DashboardParts } from '../records.ts';
import { DashboardFile, type FileCard, type FileFilter, type FilePage, type FileSource } from './schema.ts';

/** The content of a dashboard that a file contains. */
export interface FileContent {
  name: string;
  description: string;
  body: DashboardBody;
  parts: DashboardParts;
}

/** The values of members that a file leaves out. */
export const PAGE_DEFAULTS = { isHidden: false };
export const CARD_DEFAULTS = {
  title: '',
  description: '',
  pageId: null,
  textContent: null,
  imageUrl: null,
  value: null,
  savedQueryId: null,
  chartSpec: null,
};
export const FILTER_DEFAULTS = { defaultValue: null, linkedCardIds: [] };

/** The dashboard as YAML. The same dashboard gives the same text. Throws `DASHBOARD_TOO_LARGE`. */
export async function writeDashboardFile(content: FileContent, sources: readonly FileSource[]): Promise<string> {
  const text = await writeYamlFile(fileOf(content, sources));
  if (text !== undefined) return text;
  throw new AppError('DASHBOARD_TOO_LARGE', { detail: 'The file of the dashboard would be larger than 4 MiB.' });
}

/** Throws `VALIDATION_FAILED` with the line and column of each issue. */
export const readDashboardFile = (text: string): Promise<YamlFile<DashboardFile>> => readYamlFile(DashboardFile, text);

function fileOf({ name, description, body, parts }: FileContent, sources: readonly FileSource[]): DashboardFile {
  const file: DashboardFile = {
    version: 1,
    name,
    description,
    ...body,
    sources: [...sources],
    pages: parts.pages.map((page): FilePage => without(page, PAGE_DEFAULTS)),
    cards: parts.cards.map((card): FileCard => without(card, CARD_DEFAULTS)),
    filters: parts.filters.map((filter): FileFilter => without(filter, FILTER_DEFAULTS)),
  };
  return inSchemaOrder(DashboardFile, withoutEmpty(file));
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const withoutEmpty = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member))) as T;

/** The part without the members that have their default value. */
const without = <T extends object>(part: T, defaults: object): T =>
  Object.fromEntries(
    Object.entries(part).filter(
      ([member, value]) =>
        !(member in defaults && (isEmpty(value) || value === defaults[member as keyof typeof defaults])),
    ),
  ) as T;
