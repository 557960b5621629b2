/** A separate module, loaded on demand, because the writer is large and only this format needs it. */
export { writePptx } from '../../../data/documents/pptx.ts';
