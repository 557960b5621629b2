import type { Types } from './client.ts';

/** The colors of charts in the console. */
const themeOf = (dark: boolean): Types.ThemeTokens => ({
  palette: ['#4269d0', '#efb118', '#e8604c', '#6cc5b0', '#9c243c', '#3c489c', '#609ca8', '#b478f0'],
  fonts: { body: 'sans', heading: 'sans' },
  radius: 6,
  dark,
});

const MAX_WIDTH = 760;

/**
 * How the platform draws a chart for a place of this width. On phones, a picture that is made smaller would have texts
 * that are too small to read.
 */
export function chartImage(isDark: boolean, room: number): Types.CardImage {
  const width = Math.round(Math.max(280, Math.min(MAX_WIDTH, room)));
  return { width, height: Math.round(Math.max(240, width * 0.45)), theme: themeOf(isDark) };
}
