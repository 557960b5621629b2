import type { Surface } from '../charts/theme.ts';
import type { DashboardDocument } from './documents.ts';
import type { PdfText } from './pdf-text.ts';

/** What a PDF is drawn on. */
export interface Paper {
  doc: PDFKit.PDFDocument;
  text: PdfText;
  surface: Surface;
  theme: DashboardDocument['theme'];
}

export type Section = PDFKit.PDFStructureElement;

/** What is not part of the text: assistive programs leave it out. */
export function artifact(doc: PDFKit.PDFDocument, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}
