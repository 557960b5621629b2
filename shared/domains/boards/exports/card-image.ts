import type { ThemeTokens } from '../../../data/charts/theme.ts';
import type { Picture, PicturedCard } from '../../../data/documents/card-picture.ts';

export interface ImageLook {
  width: number;
  height: number;
  theme: ThemeTokens;
}

/** The card as SVG. */
export async function cardSvg(card: PicturedCard, look: ImageLook): Promise<Picture> {
  const { cardPicture } = await import('./image-writer.ts');
  return cardPicture(card, look);
}

/** The card as PNG, with its alternative text, and the characters that no font has. */
export async function cardPng(
  card: PicturedCard,
  look: ImageLook,
): Promise<{ bytes: Buffer; alternative: string; missing: string[] }> {
  const { cardPicture, writePng } = await import('./image-writer.ts');
  const picture = await cardPicture(card, look);
  return { ...(await writePng(picture)), alternative: picture.alternative };
}
