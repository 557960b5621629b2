import { writeFile } from 'node:fs/promises';
import type { PicturedCard } from '../../../data/documents/card-picture.ts';
import type { DashboardDocument, DocumentCard } from '../../../data/documents/documents.ts';
import { fileBaseName, uniqueNames } from '../../../data/documents/file-names.ts';
import { writeZip } from '../../../data/documents/zip-file.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { dashboardDocument } from './card-contents.ts';
import { cardPng, cardSvg } from './card-image.ts';
import type { ExportContext, WrittenFile } from './export-command.ts';
import { EXPORT_MEDIA_TYPES, type ImageFormat, ZIP_MEDIA_TYPE } from './formats.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import { storedFile } from './stored-file.ts';

/** About the size of a card on a screen, in pixels for each column and row of the grid. */
const COLUMN = 50;
const ROW = 44;
const LEAST = { width: 240, height: 140 };

/** One card as a picture, several as a ZIP of pictures. Throws `CARD_WITHOUT_ROWS` if no card has rows. */
export async function exportImages(context: ExportContext, format: ImageFormat): Promise<WrittenFile> {
  const document = await dashboardDocument(context);
  const cards = document.pages.flatMap((page) => page.cards).filter(isPictured);
  if (cards.length === 0) throw new AppError('CARD_WITHOUT_ROWS', { detail: NO_ROWS });
  const missing = new Set<string>();
  const images: Buffer[] = [];
  for (const card of cards) {
    context.check(0);
    images.push(await imageOf(card, document, format, missing));
  }
  const about = {
    truncated: cards.some(({ content }) => content.kind === 'chart' && content.truncated),
    failedCards: cards.filter(({ content }) => content.kind === 'problem').length,
    warnings: missingGlyphs(missing),
  };
  const contentType = EXPORT_MEDIA_TYPES[format];
  if (images.length === 1) {
    const write = (path: string) => writeFile(path, images[0]!);
    const content = await storedFile(context, { extension: format, contentType }, write);
    return { ...about, content, contentType, extension: format };
  }
  const names = uniqueNames(cards.map(({ title }, index) => fileBaseName(title, `Card ${index + 1}`)));
  const entries = images.map((image, index) => ({
    path: `${names[index]}.${format}`,
    async *content() {
      yield image;
    },
  }));
  const zip = { extension: 'zip', contentType: ZIP_MEDIA_TYPE };
  const content = await storedFile(context, zip, (path) => writeZip(path, entries, context.generatedAt, context.check));
  return { ...about, ...zip, content };
}

type Pictured = DocumentCard & PicturedCard;

const isPictured = (card: DocumentCard): card is Pictured =>
  card.content.kind === 'chart' || card.content.kind === 'problem';

async function imageOf(
  card: Pictured,
  { theme }: Pick<DashboardDocument, 'theme'>,
  format: ImageFormat,
  missing: Set<string>,
): Promise<Buffer> {
  const { w, h } = card.position;
  const size = { width: Math.max(LEAST.width, w * COLUMN), height: Math.max(LEAST.height, h * ROW) };
  const look = { ...size, theme };
  if (format === 'svg') return Buffer.from((await cardSvg(card, look)).svg);
  const png = await cardPng(card, look);
  for (const character of png.missing) missing.add(character);
  return png.bytes;
}

const NO_ROWS = 'None of the cards has rows. Add a card with a chart or a saved query, or export to `pdf`.';
