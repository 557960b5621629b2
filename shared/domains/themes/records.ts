import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Revision, StrictObject, StringEnum, Timestamp } from '../../platform/http/schemas.ts';

/** Fonts that every renderer of the platform has, or replaces by one with the same metrics. */
export const FONTS = ['Inter', 'Noto Sans', 'Noto Serif', 'Roboto', 'Source Sans 3', 'IBM Plex Sans', 'Lora'] as const;

const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', maxLength: 7, description: 'Such as `#1f77b4`.' });

export const ThemeTokens = StrictObject(
  {
    palette: Type.Array(Colour, { minItems: 1, maxItems: 24, description: 'The colours of series, in their order.' }),
    fonts: StrictObject(
      { heading: StringEnum(FONTS), body: StringEnum(FONTS) },
      { description: 'The fonts of headings and of everything else.' },
    ),
    radius: Type.Integer({ minimum: 0, maximum: 32, description: 'The radius of the corners of cards, in pixels.' }),
    dark: Type.Boolean({ description: 'Whether text is light on a dark ground.' }),
  },
  { $id: 'ThemeTokens', description: 'The values of a theme: colours, fonts and numbers, never style sheets.' },
);
export type ThemeTokens = Static<typeof ThemeTokens>;

export const themeName = Type.Unsafe<string>({
  ...Name,
  description: 'Unique within the workspace; case does not matter.',
});

export const themeRecord = {
  id: Id,
  workspaceId: Id,
  name: themeName,
  tokens: ThemeTokens,
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};
const ThemeRecord = Type.Object(themeRecord);
export type ThemeRecord = Static<typeof ThemeRecord>;
