/** A separate module, loaded on demand, because the writer is large and only pictures need it. */
export { cardPicture } from '../../../data/documents/card-picture.ts';
export { writePng } from '../../../data/documents/png.ts';
export { writePreview } from '../../../data/documents/preview.ts';
