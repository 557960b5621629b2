import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import { MAX_PARTS } from '../limits.ts';
import {
  bodyProperties,
  cardProperties,
  dashboardProperties,
  filterProperties,
  PartId,
  pageProperties,
} from '../schemas.ts';

/** What cards and themes of a dashboard refer to. */
export const FILE_SOURCE_KINDS = ['model', 'dataset', 'savedQuery', 'metric', 'blend', 'theme'] as const;
export type FileSourceKind = (typeof FILE_SOURCE_KINDS)[number];

const MAX_SOURCES = 300;
const MAX_NAMES = 2000;

const Named = StrictObject({
  id: Id,
  name: Type.String({ minLength: 1, maxLength: 500, description: 'A field by table and name: `orders.region`.' }),
});
export type Named = Static<typeof Named>;

const names = Type.Optional(Type.Array(Named, { maxItems: MAX_NAMES }));
const FileSource = StrictObject({
  kind: StringEnum(FILE_SOURCE_KINDS),
  id: Id,
  name: Name,
  /** Those of a model that cards and filters name by their ids. */
  fields: names,
  measures: names,
});
export type FileSource = Static<typeof FileSource>;

const FilePage = StrictObject({
  id: PartId,
  name: pageProperties.name,
  isHidden: Type.Optional(pageProperties.isHidden),
});
export type FilePage = Static<typeof FilePage>;

const { cardType, position, ...others } = cardProperties;
const FileCard = StrictObject({
  id: PartId,
  pageId: Type.Optional(others.pageId),
  cardType,
  title: Type.Optional(others.title),
  description: Type.Optional(others.description),
  position,
  textContent: Type.Optional(others.textContent),
  imageUrl: Type.Optional(others.imageUrl),
  value: Type.Optional(others.value),
  savedQueryId: Type.Optional(others.savedQueryId),
  chartSpec: Type.Optional(others.chartSpec),
});
export type FileCard = Static<typeof FileCard>;

const FileFilter = StrictObject({
  id: Type.Optional(Id),
  label: filterProperties.label,
  fieldId: filterProperties.fieldId,
  filterType: filterProperties.filterType,
  defaultValue: Type.Optional(filterProperties.defaultValue),
  linkedCardIds: Type.Optional(filterProperties.linkedCardIds),
});
export type FileFilter = Static<typeof FileFilter>;

/** A dashboard in the form that people keep and review. Lists are in their order; what is absent is empty. */
export const DashboardFile = StrictObject({
  version: Type.Literal(1),
  name: Type.Optional(dashboardProperties.name),
  description: Type.Optional(dashboardProperties.description),
  layout: Type.Optional(bodyProperties.layout),
  theme: Type.Optional(bodyProperties.theme),
  filterState: Type.Optional(bodyProperties.filterState),
  timezone: Type.Optional(bodyProperties.timezone),
  sources: Type.Optional(Type.Array(FileSource, { maxItems: MAX_SOURCES })),
  pages: Type.Optional(Type.Array(FilePage, { maxItems: MAX_PARTS.pages })),
  cards: Type.Optional(Type.Array(FileCard, { maxItems: MAX_PARTS.cards })),
  filters: Type.Optional(Type.Array(FileFilter, { maxItems: MAX_PARTS.filters })),
});
export type DashboardFile = Static<typeof DashboardFile>;
