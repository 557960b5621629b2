export interface CursorPageOf<T> {
  items: T[];
  total: number;
  nextCursor: string | null;
}

export interface PageOf<T> {
  items: T[];
  total: number;
  limit: number;
  offset: number;
}
