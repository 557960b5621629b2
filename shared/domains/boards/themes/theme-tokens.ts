import { Check } from 'typebox/value';
import { DEFAULT_TOKENS, ThemeTokens } from '../../../data/charts/theme.ts';

export interface Themes {
  get(workspaceId: string, id: string): Promise<{ tokens: ThemeTokens } | undefined>;
  readDefault(workspaceId: string): Promise<string | undefined>;
}

/**
 * The theme that the text of a dashboard names (`{"themeId":"…"}`) or contains; otherwise the default theme of the
 * workspace, or that of the platform. The text is a client's: what does not fit is ignored.
 */
export async function tokensOf(themes: Themes, workspaceId: string, text: string | null): Promise<ThemeTokens> {
  const given: unknown = text === null ? null : parsed(text);
  if (Check(ThemeTokens, given)) return given;
  const named = (given as { themeId?: unknown } | null)?.themeId;
  const id = typeof named === 'string' ? named : await themes.readDefault(workspaceId);
  const theme = id === undefined ? undefined : await themes.get(workspaceId, id);
  return theme?.tokens ?? DEFAULT_TOKENS;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
