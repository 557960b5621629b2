import { DEFAULT_TOKENS, FONT_FAMILIES } from '../../../../../shared/data/charts/default-theme.ts';
import { parsed } from './boards.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Tokens = Types.ThemeTokens;

/** The themes of the workspace. */
export const useThemes = () => useQuery(['themes'], async () => (await api.themes.list({ limit: 200 })).items);

/**
 * The theme that the text of a dashboard names or contains; otherwise the default theme of the workspace, or that of
 * the platform. Undefined until the themes are read.
 */
export function useTokens(text: string | null | undefined): Tokens | undefined {
  const { data: themes, error } = useThemes();
  if (!themes) return error ? DEFAULT_TOKENS : undefined;
  const given = parsed(text ?? null) as (Partial<Tokens> & { themeId?: string }) | null;
  if (given && Array.isArray(given.palette) && given.fonts && given.radius !== undefined) return given as Tokens;
  const named = themes.find(({ id }) => id === given?.themeId) ?? themes.find(({ isDefault }) => isDefault);
  return named?.tokens ?? DEFAULT_TOKENS;
}

/** The theme as the custom properties of a board. */
export const themeStyle = ({ palette, fonts, radius }: Tokens): Record<string, string> => ({
  '--theme': palette[0] ?? DEFAULT_TOKENS.palette[0]!,
  '--radius': `${radius}px`,
  '--font': FONT_FAMILIES[fonts.body],
  '--font-heading': FONT_FAMILIES[fonts.heading],
});
