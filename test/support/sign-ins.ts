import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { memberKey, sessionKey, userRecordKey } from '../../shared/domains/tenancy/workspaces/index.ts';
import { accessTokens } from '../../shared/platform/auth/access-token.ts';
import { isOfEpoch } from '../../shared/platform/auth/authenticate.ts';
import { MasterSecret } from '../../shared/platform/crypto/master-secret.ts';
import { deployedTable } from './deployed-table.ts';
import { readMasterSecret } from './master-secret.ts';

/** A sign-in as its access tokens name it. */
export interface SignIn {
  userId: string;
  companyId: string;
  sessionId: string;
}

/**
 * Access tokens of sign-ins for other workspaces, as `POST /api/auth/refresh` issues them. Every test needs some for
 * its own workspace: a tenth of all requests of the API tests was for them. `test/api/identity/auth` tests the route.
 */
export class SignIns {
  readonly #endpoint: string;
  readonly #tokens: ReturnType<typeof accessTokens>;

  constructor(endpoint: string) {
    this.#endpoint = endpoint;
    this.#tokens = accessTokens(new MasterSecret(() => readMasterSecret(endpoint)));
  }

  /** The sign-in of a reply. */
  of({ accessToken, user }: { accessToken: string; user: { id: string; companyId: string } }): SignIn {
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString());
    return { userId: user.id, companyId: user.companyId, sessionId: claims.sid };
  }

  /** Undefined if the sign-in has ended. */
  async enter(signIn: SignIn, workspaceId: string): Promise<string | undefined> {
    const { userId, sessionId } = signIn;
    const [session, user, membership] = await this.#read([
      sessionKey(userId, sessionId),
      userRecordKey(userId),
      memberKey(workspaceId, userId),
    ]);
    if (!session || session.revokedAt || !user || !isOfEpoch(session, user)) return undefined;
    // A token of a person who is no member, or no longer, names a membership that does not exist.
    const membershipId = (membership?.membershipId as string | undefined) ?? 'none';
    return this.#tokens.issue({ ...signIn, workspaceId, membershipId }, new Date());
  }

  async #read(keys: { pk: string; sk: string }[]): Promise<(Record<string, unknown> | undefined)[]> {
    const { db, name } = await deployedTable(this.#endpoint);
    const { Responses } = await db.send(
      new BatchGetCommand({ RequestItems: { [name]: { Keys: keys, ConsistentRead: true } } }),
    );
    const items = Responses?.[name] ?? [];
    return keys.map(({ pk, sk }) => items.find((item) => item.pk === pk && item.sk === sk));
  }
}
