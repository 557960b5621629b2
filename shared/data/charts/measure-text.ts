import { textMetrics } from 'vega';
import { textWidth } from './text-width.ts';

/**
 * Vega measures texts like the rest of the platform. Its own estimate takes each letter for as wide as a capital, so
 * that it drops labels that have room, and takes signs of Chinese for narrower than they are.
 */
export function measureTexts(): void {
  textMetrics.width = ({ font = '', fontSize = 11, fontWeight = 400, limit = 0 }, text) => {
    const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600;
    const width = textWidth(String(text ?? '').trim(), fontSize, { isMono: font.includes('monospace'), isBold });
    return limit > 0 ? Math.min(width, limit) : width;
  };
}
