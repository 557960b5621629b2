import { describe, expect, it } from 'vitest';
import { inVisualOrder } from '../../../../shared/data/documents/visual-order.ts';

/** Parts in the order in which a reader meets them from the left; `א`, `ב` and `ג` stand for words. */
const order = (...texts: string[]) =>
  inVisualOrder(texts.map((text) => ({ text })))
    .map(({ text }) => text)
    .join('');

describe('the order of a line with text from right to left', () => {
  it.each([
    ['a line without such text', ['Sales (EU) ', '東京'], 'Sales (EU) 東京'],
    ['words from the right', ['א ב ג'], 'ג ב א'],
    ['a line that begins so', ['א ', 'Hello World'], 'Hello World א'],
    ['words within a line from the left', ['Sales ', 'א ב', ' total'], 'Sales ב א total'],
    ['a sign between two fonts', ['Sales ', 'א', ', ', 'ב'], 'Sales ב ,א'],
    ['a number between words', ['Sales ', 'א ', '-5%', ' ', 'ב'], 'Sales ב -5% א'],
    ['a number after words', ['א ', '2026'], '2026 א'],
    ['two fonts from the left after it', ['א ', 'Tokyo ', '東京'], 'Tokyo 東京 א'],
    ['brackets, which turn', ['א ', '(', 'ב', ')'], '(ב) א'],
    ['brackets around a word from the left', ['א ', '(Hello World) 2026?'], '?2026 (Hello World) א'],
    ['brackets around a word from the right', ['Hello (', 'א ב', ') 2026'], 'Hello (ב א) 2026'],
    ['brackets that do not close', ['א ', '(] Hello'], 'Hello [) א'],
    ['emoji of several characters', ['א ', '👨‍👩‍👧🇩🇪'], '🇩🇪👨‍👩‍👧 א'],
    ['an emoji at the beginning', ['🎉', ' א'], 'א 🎉'],
  ])('%s', (_, texts, expected) => {
    expect(order(...texts)).toBe(expected);
  });
});
