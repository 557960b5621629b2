/**
 * The products that a company can be licensed for; `bi` is always licensed. Routes declare the product that they belong
 * to.
 */
export const PRODUCTS = ['pipelines', 'warehouse'] as const;
export type Product = (typeof PRODUCTS)[number];

export const isProduct = (name: string): name is Product => PRODUCTS.some((product) => product === name);
