import { FONT_FAMILIES, type ThemeTokens } from '../../../data/charts/theme.ts';

/**
 * The theme as a rule of a style sheet. Every value has been checked: colors are hexadecimal, fonts and radius from
 * lists.
 */
export const themeRules = ({ palette, fonts, radius }: ThemeTokens): string =>
  `:root{--theme:${palette[0]};--radius:${radius}px;--font:${FONT_FAMILIES[fonts.body]};--font-heading:${FONT_FAMILIES[fonts.heading]}}`;
