/** The products that a company can be licensed for; a route of an unlicensed product answers `PRODUCT_NOT_LICENSED`. */
export type Product = 'pipelines' | 'warehouse';
