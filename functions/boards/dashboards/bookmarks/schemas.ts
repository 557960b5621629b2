import type { Static } from 'typebox';
import * as Type from 'typebox';
import { bookmarkProperties, bookmarkRecord } from '../../../../shared/domains/boards/dashboards/index.ts';

export const BookmarkParams = Type.Object({
  bookmarkId: Type.String({ format: 'uuid', description: 'The id of the bookmark.' }),
});

export const Bookmark = Type.Object(bookmarkRecord, {
  $id: 'DashboardBookmark',
  description: 'A saved choice of page, filters and order, of one user or shared.',
});

export const BookmarkList = Type.Object(
  { items: Type.Array(Bookmark), total: Type.Integer({ minimum: 0 }) },
  { $id: 'DashboardBookmarkList', description: 'Shared bookmarks, then those of the caller; each oldest first.' },
);

const { name, state, isDefault, isPersonal } = bookmarkProperties;

export const CreateBookmark = Type.Object(
  {
    name,
    state,
    isDefault: Type.Unsafe<boolean>({ ...isDefault, default: false }),
    isPersonal: Type.Unsafe<boolean>({ ...isPersonal, default: true }),
  },
  { $id: 'CreateDashboardBookmark', description: 'A bookmark.' },
);
export type CreateBookmark = Static<typeof CreateBookmark>;

export const UpdateBookmark = Type.Object(
  {
    name: Type.Optional(name),
    state: Type.Optional(state),
    isDefault: Type.Optional(isDefault),
    isPersonal: Type.Optional(isPersonal),
  },
  { $id: 'UpdateDashboardBookmark', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateBookmark = Static<typeof UpdateBookmark>;
