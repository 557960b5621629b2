import type { Static } from 'typebox';
import * as Type from 'typebox';
import Value from 'typebox/value';
import { createCompany } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { passwords } from '../../../../shared/platform/auth/password.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { Name, StrictObject } from '../../../../shared/platform/http/schemas.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { whyConfusable } from '../../../../shared/platform/text/email-address.ts';

/** The input of an operator who may invoke this function; see "The first owner" in `docs/operating.md`. */
const NewOwner = StrictObject({
  company: Name,
  workspace: Name,
  email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' }),
  name: Name,
  password: Type.String({ minLength: 12, maxLength: 1024 }),
});
export type NewOwner = Static<typeof NewOwner>;

export interface CreatedOwner {
  companyId: string;
  workspaceId: string;
  userId: string;
  email: string;
}

const table = openTable(environment('TABLE_NAME'));
const { hash } = passwords(Number(environment('PASSWORD_COST')));

/**
 * Creates a company, its first workspace and its owner. Fails with `EMAIL_TAKEN` if an account with the email exists.
 */
export async function handler(event: unknown): Promise<CreatedOwner> {
  if (!Value.Check(NewOwner, event)) {
    const issues = Value.Errors(NewOwner, event).map((issue) => `${issue.instancePath || '/'} ${issue.message}`);
    throw new Error(`Invalid owner: ${issues.join('; ')}`);
  }
  const why = whyConfusable(event.email);
  if (why !== undefined) throw new Error(`Invalid owner: the address ${why}`);
  const at = new Date().toISOString();
  const [companyId, workspaceId, userId] = [newId(), newId(), newId()];
  await createCompany(table, {
    companyId,
    companyName: event.company,
    workspace: { id: workspaceId, companyId, name: event.workspace, createdAt: at, updatedAt: at, revision: 1 },
    owner: {
      id: userId,
      companyId,
      companyRole: 'company_admin',
      email: event.email,
      name: event.name,
      passwordHash: await hash(event.password),
      active: true,
      createdAt: at,
      updatedAt: at,
    },
  });
  return { companyId, workspaceId, userId, email: event.email };
}
