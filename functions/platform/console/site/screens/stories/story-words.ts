/** The page where a story is read. */
export const pageOf = (id: string, { isDraft = false } = {}): string =>
  `/api/d/stories/${encodeURIComponent(id)}${isDraft ? '?view=draft' : ''}`;

export const mayWrite = (permission: string): boolean => permission === 'contributor' || permission === 'editor';
