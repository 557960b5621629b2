// Apart from the schema of themes, which scripts of pages do without.

/** Fonts that every reader has, or that exported files carry. */
export const FONTS = ['sans', 'serif', 'mono'] as const;

/**
 * Twelve colors of different lightness as well as hue, so that readers with any kind of color blindness tell them
 * apart, on light and on dark backgrounds.
 */
export const PALETTE = [
  '#4269d0',
  '#efb118',
  '#e8604c',
  '#6cc5b0',
  '#9c243c',
  '#3c489c',
  '#609ca8',
  '#b478f0',
  '#9c6078',
  '#fcc0f0',
  '#cc3c0c',
  '#cc9cf0',
];

export const DEFAULT_TOKENS: {
  palette: string[];
  fonts: Record<'body' | 'heading', (typeof FONTS)[number]>;
  radius: number;
  dark: boolean;
} = {
  palette: PALETTE,
  fonts: { body: 'sans', heading: 'sans' },
  radius: 6,
  dark: false,
};

export const FONT_FAMILIES: Readonly<Record<(typeof FONTS)[number], string>> = {
  sans: 'Inter, "Helvetica Neue", Arial, sans-serif',
  serif: 'Georgia, "Times New Roman", serif',
  mono: 'ui-monospace, Menlo, Consolas, monospace',
};
