/**
 * The products that a company can be licensed for. Routes of an unlicensed product reply with `PRODUCT_NOT_LICENSED`.
 */
export type Product = 'pipelines' | 'warehouse';
