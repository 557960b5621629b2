import * as Type from 'typebox';
import { ASSET_TYPES } from '../../../shared/platform/http/asset-types.ts';

const segment = (pattern: string, description: string) => Type.String({ maxLength: 200, pattern, description });

/** Ids and keys of objects, and names of tabs; everything else is in the query. */
const ID = '^[\\w.~-]+$';
const screen = segment('^[a-z-]+$', 'The screen, such as `runs`.');
const item = segment(ID, 'What it shows, such as the id of a run.');

export const ScreenParams = Type.Object({ screen });
export const ItemParams = Type.Object({ screen, item });
export const PartParams = Type.Object({ screen, item, part: segment(ID, 'A part of it, such as a tab.') });

/** Filters, tabs and selections, which differ by screen: the page reads them from its address itself. */
export const ScreenQuery = Type.Object(
  {},
  { additionalProperties: Type.String({ maxLength: 9000 }), maxProperties: 50 },
);

export const AssetParams = Type.Object({
  file: Type.String({
    maxLength: 100,
    pattern: `^[a-z0-9-]+\\.([A-Z0-9]{8}|[0-9a-f]{12})\\.(${Object.keys(ASSET_TYPES).join('|')})$`,
    description: 'The name of a file that a page links to.',
  }),
});
