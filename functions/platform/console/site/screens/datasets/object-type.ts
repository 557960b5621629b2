const TYPES: Readonly<Record<string, string>> = { source: 'data_source' };

/** The type of an object as search results name it; lineage writes it with dashes. */
export const objectType = (type: string): string => TYPES[type] ?? type.replaceAll('-', '_');
