const PLACES = /\{([^{}]+)\}/g;

/** The columns whose values an address takes: `Customer` of `https://crm.example.com/customers/{Customer}`. */
export const columnsInAddress = (url: string): string[] => [...url.matchAll(PLACES)].map(([, name]) => name!);

/**
 * The address with the values of a row. They are encoded, and stand after the host, so that no value can lead to
 * another one.
 */
export const addressOf = (url: string, read: (name: string) => unknown): string =>
  url.replace(PLACES, (_, name: string) => encodeURIComponent(String(read(name) ?? '')));
