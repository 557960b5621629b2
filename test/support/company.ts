import { randomBytes } from 'node:crypto';
import { createOwner, operatorClients } from '../../infra/operator.ts';
import { MAX_WORKSPACES } from '../../shared/domains/tenancy/workspaces/index.ts';
import { call } from './http.ts';
import { type SignIn, SignIns } from './sign-ins.ts';

/** Who belongs to a company; the stranger owns another one. */
export type Person = 'owner' | 'admin' | 'editor' | 'viewer' | 'stranger';

/** People whom the owner adds with the role of their name; unlike the owner they are no company admins. */
export type AddedPerson = Exclude<Person, 'owner' | 'stranger'>;

interface Account {
  email: string;
  password: string;
  companyId: string;
  /** The first workspace of the account's company. */
  homeId: string;
  signIn: SignIn;
}

const CREATE_OWNER = 'AnalyticsRuntime-create-owner';
/** Well below the lifetime of an access token. */
const TOKEN_REUSED_FOR_MS = 5 * 60_000;

/** A company whose people sign up when a test first needs them: passwords are slow on purpose. */
export class Company {
  readonly endpoint: string;
  readonly #tag = randomBytes(6).toString('hex');
  readonly #accounts = new Map<Person, Promise<Account>>();
  readonly #homeTokens = new Map<Person, { token: Promise<string>; at: number }>();
  readonly #signIns: SignIns;
  #workspaces = 0;

  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#signIns = new SignIns(endpoint);
  }

  account(person: Person): Promise<Account> {
    let account = this.#accounts.get(person);
    if (!account) {
      account = person === 'owner' || person === 'stranger' ? this.#found(person) : this.#add(person);
      this.#accounts.set(person, account);
    }
    return account;
  }

  /** Whether it has half of the workspaces that a company may have. */
  get isLarge(): boolean {
    return this.#workspaces >= MAX_WORKSPACES / 2;
  }

  /** A new workspace of the owner, or of the stranger. */
  async newWorkspace(founder: 'owner' | 'stranger'): Promise<string> {
    this.#workspaces += 1;
    const reply = await this.#send('POST', '/api/workspaces', await this.#homeToken(founder), { name: 'Test' });
    return reply.id;
  }

  /** Adds a member to the workspace of `token`. */
  async join(person: AddedPerson, token: string): Promise<void> {
    const { email } = await this.account(person);
    await this.#send('POST', '/api/workspaces/members', token, { email, role: person });
  }

  /** An access token of a person for a workspace. */
  async enter(person: Person, workspaceId: string): Promise<string> {
    const account = await this.account(person);
    const token = await this.#signIns.enter(account.signIn, workspaceId);
    if (token) return token;
    // A test has ended the sign-in.
    const { email, password } = account;
    const session = await this.#send('POST', '/api/auth/login', undefined, { email, password, workspaceId });
    account.signIn = this.#signIns.of(session);
    return session.accessToken;
  }

  #homeToken(person: Person): Promise<string> {
    const known = this.#homeTokens.get(person);
    if (known && Date.now() - known.at < TOKEN_REUSED_FOR_MS) return known.token;
    const token = this.account(person).then(({ homeId }) => this.enter(person, homeId));
    this.#homeTokens.set(person, { token, at: Date.now() });
    return token;
  }

  async #found(person: 'owner' | 'stranger'): Promise<Account> {
    const credentials = this.#credentials(person);
    const { companyId, workspaceId } = await createOwner(operatorClients(this.endpoint), CREATE_OWNER, {
      company: person,
      workspace: 'First',
      name: person,
      ...credentials,
    });
    return { ...credentials, companyId, homeId: workspaceId, signIn: await this.#signIn(credentials) };
  }

  async #add(person: AddedPerson): Promise<Account> {
    const credentials = this.#credentials(person);
    const { companyId, homeId } = await this.account('owner');
    const added = { ...credentials, name: person, role: person };
    await this.#send('POST', '/api/workspaces/members', await this.#homeToken('owner'), added);
    return { ...credentials, companyId, homeId, signIn: await this.#signIn(credentials) };
  }

  #credentials(person: Person): { email: string; password: string } {
    return { email: `${person}-${this.#tag}@example.com`, password: randomBytes(12).toString('base64url') };
  }

  async #signIn(credentials: { email: string; password: string }): Promise<SignIn> {
    return this.#signIns.of(await this.#send('POST', '/api/auth/login', undefined, credentials));
  }

  async #send(method: string, path: string, token: string | undefined, body: object) {
    const reply = await call(this.endpoint, method, path, { token, body });
    if (reply.status >= 300)
      throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
}
