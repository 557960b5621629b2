/** Where the catalog describes an object, below the console. Terms have a page of their own. */
export const cardOf = (type: string, id: string): string =>
  type === 'term' ? `/catalog/terms/${id}` : `/catalog/${type}/${id}`;
