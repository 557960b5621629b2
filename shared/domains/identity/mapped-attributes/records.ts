/** Where a value stands in the resource of a user, by the declared names of SCIM. */
export interface ScimPlace {
  /** The URN of the extension that the attribute belongs to; absent for the core. */
  extension?: string;
  name: string;
  sub?: string;
}

/** An attribute of SCIM whose value is an attribute of the person. */
export interface ScimMapping {
  /** As the admin has written it. */
  path: string;
  place: ScimPlace;
  attribute: string;
}

/** What a company takes from its provisioning as attributes of people. */
export interface ScimAttributes {
  companyId: string;
  mappings: ScimMapping[];
  updatedBy: string | null;
  updatedAt: string | null;
  revision: number;
}
