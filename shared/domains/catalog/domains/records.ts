/** A part of the business that objects and terms belong to. */
export interface CatalogDomain {
  id: string;
  name: string;
  description: string;
  /** The domain that contains it; null for one of the first level. */
  parentId: string | null;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
}

/** The domains of a workspace are one item, so that a change checks names and levels against all others. */
export interface StoredDomains {
  workspaceId: string;
  domains: CatalogDomain[];
  revision: number;
}
