/** The length of vectors. Embedding models of today offer it, at a small loss against their longest vectors. */
export const DIMENSIONS = 256;
