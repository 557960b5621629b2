import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  cardProperties,
  DashboardCard,
  DashboardFilter,
  DashboardPage,
  filterProperties,
  MAX_BATCH,
  MAX_PARTS,
  partOrdinal as ordinal,
  PartId,
  pageProperties,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { idParams } from '../../../../shared/platform/http/schemas.ts';

const partId = (what: string) => Type.String({ minLength: 1, maxLength: 64, description: `The id of the ${what}.` });

export const PageParams = Type.Object({ ...idParams('dashboard').properties, pageId: partId('page') });
export const CardParams = Type.Object({ ...idParams('dashboard').properties, cardId: partId('card') });
export const FilterParams = Type.Object({
  ...idParams('dashboard').properties,
  filterId: Type.String({ format: 'uuid', description: 'The id of the filter.' }),
});

const listOf = <S extends typeof DashboardPage | typeof DashboardCard | typeof DashboardFilter>(item: S, $id: string) =>
  Type.Object(
    { items: Type.Array(item), total: Type.Integer({ minimum: 0 }) },
    { $id, description: 'All of them, in their order.' },
  );
export const PageList = listOf(DashboardPage, 'DashboardPageList');
export const CardList = listOf(DashboardCard, 'DashboardCardList');
export const FilterList = listOf(DashboardFilter, 'DashboardFilterList');

const newId = (what: string) =>
  Type.Optional(
    Type.Unsafe<string>({
      ...PartId,
      description: `An id for the ${what}, unique within the dashboard; the platform chooses one when absent. Segments of API paths, such as \`batch\`, are reserved.`,
    }),
  );

export const CreatePage = Type.Object(
  {
    id: newId('page'),
    name: pageProperties.name,
    pageIndex: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_PARTS.pages - 1,
        description: 'Place of the page among the pages, from 0; the last place when absent.',
      }),
    ),
    isHidden: Type.Unsafe<boolean>({ ...pageProperties.isHidden, default: false }),
  },
  { $id: 'CreateDashboardPage', description: 'A page.' },
);
export type CreatePage = Static<typeof CreatePage>;

export const UpdatePage = Type.Object(
  {
    name: Type.Optional(pageProperties.name),
    pageIndex: Type.Optional(ordinal(MAX_PARTS.pages)),
    isHidden: Type.Optional(pageProperties.isHidden),
  },
  { $id: 'UpdateDashboardPage', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdatePage = Static<typeof UpdatePage>;

export const ReorderPages = Type.Object(
  { pageIds: Type.Array(PartId, { maxItems: MAX_PARTS.pages }) },
  { $id: 'ReorderDashboardPages', description: 'All pages of the dashboard in their new order.' },
);

const { cardType, title, description, position, chartSpec, savedQueryId, textContent, imageUrl, value, pageId } =
  cardProperties;

export const CreateCard = Type.Object(
  {
    id: newId('card'),
    cardType,
    title: Type.Unsafe<string>({ ...title, default: '' }),
    description: Type.Unsafe<string>({ ...description, default: '' }),
    position,
    chartSpec: Type.Optional(chartSpec),
    savedQueryId: Type.Optional(savedQueryId),
    textContent: Type.Optional(textContent),
    imageUrl: Type.Optional(imageUrl),
    value: Type.Optional(value),
    pageId: Type.Optional(pageId),
  },
  { $id: 'CreateDashboardCard', description: 'A card.' },
);
export type CreateCard = Static<typeof CreateCard>;

const cardChange = {
  cardType: Type.Optional(cardType),
  title: Type.Optional(title),
  description: Type.Optional(description),
  position: Type.Optional(position),
  chartSpec: Type.Optional(chartSpec),
  savedQueryId: Type.Optional(savedQueryId),
  textContent: Type.Optional(textContent),
  imageUrl: Type.Optional(imageUrl),
  value: Type.Optional(value),
  pageId: Type.Optional(pageId),
};

export const UpdateCard = Type.Object(
  { ...cardChange, ordinal: Type.Optional(ordinal(MAX_PARTS.cards)) },
  { $id: 'UpdateDashboardCard', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateCard = Static<typeof UpdateCard>;

const CardUpdate = Type.Object(
  {
    id: PartId,
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'The revision that was read; the update fails if the card has changed since.',
      }),
    ),
    ...cardChange,
  },
  { $id: 'DashboardCardUpdate', description: 'A card, and the members to change.' },
);

export const UpdateCards = Type.Object(
  { updates: Type.Array(CardUpdate, { minItems: 1, maxItems: MAX_BATCH }) },
  { $id: 'UpdateDashboardCards', description: 'Changes of several cards, which are made together or not at all.' },
);
export type UpdateCards = Static<typeof UpdateCards>;

export const ReorderCards = Type.Object(
  { cardIds: Type.Array(PartId, { maxItems: MAX_PARTS.cards }) },
  { $id: 'ReorderDashboardCards', description: 'All cards of the dashboard, or of one page, in their new order.' },
);

export const CardListQuery = Type.Object({
  pageId: Type.Optional(Type.Unsafe<string>({ ...PartId, description: 'Only cards of this page.' })),
});

const { fieldId, filterType, label, defaultValue, linkedCardIds } = filterProperties;

export const CreateFilter = Type.Object(
  {
    fieldId,
    filterType,
    label: Type.Unsafe<string>({ ...label, default: '' }),
    defaultValue: Type.Optional(defaultValue),
    linkedCardIds: Type.Unsafe<string[]>({ ...linkedCardIds, default: [] }),
  },
  { $id: 'CreateDashboardFilter', description: 'A filter.' },
);
export type CreateFilter = Static<typeof CreateFilter>;

export const UpdateFilter = Type.Object(
  {
    fieldId: Type.Optional(fieldId),
    filterType: Type.Optional(filterType),
    label: Type.Optional(label),
    defaultValue: Type.Optional(defaultValue),
    linkedCardIds: Type.Optional(linkedCardIds),
    ordinal: Type.Optional(ordinal(MAX_PARTS.filters)),
  },
  { $id: 'UpdateDashboardFilter', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateFilter = Static<typeof UpdateFilter>;
