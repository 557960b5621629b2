import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** In the package, and beside a bundle. */
export const RASTER_FILE = { package: '@embedpdf/pdfium', file: 'pdfium.wasm' } as const;

/** Opaque pixels, each with red, green, blue and alpha. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** The memory of the module, which its types leave out. */
type Memory = WrappedPdfiumModule['pdfium'] & { HEAPU8: Uint8Array };

let opened: Promise<WrappedPdfiumModule> | undefined;

/** A whole module of WebAssembly for each process: it has no files, no network and no clock of its own. */
async function open(): Promise<WrappedPdfiumModule> {
  const beside = join(import.meta.dirname, RASTER_FILE.file);
  const { package: name, file } = RASTER_FILE;
  const path = existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`${name}/${file}`);
  const bytes = await readFile(path);
  const pdfium = await init({ wasmBinary: new Uint8Array(bytes).buffer });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

const BGRA = 4;
const RED_FIRST = 0x10;
const WHITE = 0xffffffff;

/** The first page of a PDF of the platform, with so many pixels for each of its points. */
export async function rasterized(
  pdf: Uint8Array,
  page: { width: number; height: number },
  scale: number,
): Promise<Pixels> {
  opened ??= open();
  const pdfium = await opened;
  const memory = pdfium.pdfium as Memory;
  const [width, height] = [Math.round(page.width * scale), Math.round(page.height * scale)];
  const source = memory.wasmExports.malloc(pdf.length);
  memory.HEAPU8.set(pdf, source);
  const doc = pdfium.FPDF_LoadMemDocument(source, pdf.length, '');
  const first = doc && pdfium.FPDF_LoadPage(doc, 0);
  const bitmap = first && pdfium.FPDFBitmap_CreateEx(width, height, BGRA, 0, width * 4);
  try {
    if (!bitmap) throw new Error('the page cannot be drawn');
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, first, 0, 0, width, height, 0, RED_FIRST);
    const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
    return { width, height, data: memory.HEAPU8.slice(at, at + width * height * 4) };
  } finally {
    if (bitmap) pdfium.FPDFBitmap_Destroy(bitmap);
    if (first) pdfium.FPDF_ClosePage(first);
    if (doc) pdfium.FPDF_CloseDocument(doc);
    memory.wasmExports.free(source);
  }
}
