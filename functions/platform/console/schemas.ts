import * as Type from 'typebox';
import { ASSET_TYPES } from '../../../shared/platform/http/asset-types.ts';

const segment = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

const screen = segment('The screen, such as `runs`.');
const item = segment('What it shows, such as the id of a run.');

export const ScreenParams = Type.Object({ screen });
export const ItemParams = Type.Object({ screen, item });
export const PartParams = Type.Object({ screen, item, part: segment('A part of it, such as a tab.') });

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
