/** The public API of this domain; everything else is internal. */
export { type ThemeRecord, themeName, themeRecord } from './records.ts';
export { type ThemeRepository, themeRepository } from './repository.ts';
export { type Themes, tokensOf } from './theme-tokens.ts';
