/** Labels that read the same are equal after this: `Net_Revenue` and `net revenue`. */
export const foldLabel = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim();
