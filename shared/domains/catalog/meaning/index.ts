/** The public API of this domain; everything else is internal. */
export { CALIBRATION_TEXTS, calibrateThreshold } from './calibration.ts';
export { type EmbeddedTexts, findNearest, matchVectors } from './find-nearest.ts';
export { type VectorState, type VectorStore, vectorStore } from './store.ts';
export { textOf } from './texts.ts';
export { type Vector, type Vectors, vectorFromText, vectorOf, vectorToText } from './vectors.ts';
