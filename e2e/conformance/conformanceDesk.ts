// The desk's own way to a server, from pins and gate down to the wire, on a data folder of its own: what the official
// conformance scenarios are run through. A person who always says yes stands in for the one at the window.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCalls } from '../../main/calls.ts';
import { createGate } from '../../main/gate.ts';
import { readForm } from '../../main/forms.ts';
import type { GateAnswer } from '../../main/loop.ts';
import { createConnection } from '../../main/mcp/connection.ts';
import { defaultLimits } from '../../main/mcp/limits.ts';
import { createSignIn, type SignInPage } from '../../main/mcp/oauth.ts';
import { secretKeyOf } from '../../main/mcp/oauthClient.ts';
import { createValidator } from '../../main/mcp/validator.ts';
import { memorySecrets } from '../../main/ports.ts';
import { createPins } from '../../main/pins.ts';
import { createQuestions } from '../../main/questions.ts';
import { createServers } from '../../main/servers.ts';
import { openStore } from '../../main/store/open.ts';
import { Failure } from '../../shared/failures.ts';
import { checkAnswer } from '../../shared/formAnswer.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Person } from '../../shared/people.ts';
import type { Reviewed } from '../../shared/pins.ts';
import { playbookSchema } from '../../shared/playbook.ts';
import type { QuestionAnswer } from '../../shared/questions.ts';
import { serverConfig, type OauthConfig, type ServerConfig } from '../../shared/servers.ts';
import type { Ticket } from '../../shared/tickets.ts';

const admin: Person = { id: 'staff-0001', name: 'Ines', role: 'admin' };
const clock = { now: () => Date.now() };
const random = { hex: (n: number) => randomBytes(n).toString('hex') };
const ticket: Ticket = {
  id: 'T-1',
  customer: 'C-0001',
  customer_name: null,
  subject: 'Conformance',
  body: 'Please look.',
  received_at: '2026-06-30T09:00:00Z',
  channel: 'email',
  machine: false,
  source: 'sample',
  state: 'open',
  version: 1,
};
const nothing = playbookSchema.parse({
  format: 'desk-playbook/1',
  company: 'Conformance',
  language: 'en',
  currency: 'EUR',
  systems: [],
  tools: {},
});

/** What a person answers who touches nothing: every default, nothing else. */
function untouched(request: JsonObject): QuestionAnswer {
  const form = readForm(request);
  if (form.kind !== 'form') return { action: 'cancel' };
  const checked = checkAnswer(form, {});
  return checked.ok ? { action: 'accept', content: checked.content } : { action: 'cancel' };
}

export interface DeskOptions {
  url: string;
  /** How the desk is known to the authorization server, where the scenario brings that. */
  client?: { issuer: string; id: string; secret: string };
  /** Asked of a person while a question waits. */
  whileAsked?: () => Promise<void>;
}
/** Signing in a person may begin this often before they give up. */
const mostSignIns = 3;

/** In place of a browser: asks for the page and goes where it sends, which is back to the desk. */
async function throughBrowser(page: SignInPage, signal: AbortSignal): Promise<void> {
  const answer = await fetch(page.url, { redirect: 'manual', signal });
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`the page to sign in answered HTTP ${answer.status}`);
  await fetch(back, { signal });
}

export async function openDesk({ url, client, whileAsked }: DeskOptions) {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-conformance-'));
  const store = await openStore(path.join(folder, 'desk.db'));
  const validator = createValidator();
  const pins = createPins({ store, clock });
  const calls = createCalls({ store, clock, random });
  const questions = createQuestions({ store, clock });
  const oauth: OauthConfig = {
    issuers: [],
    registration: true,
    document: 'https://conformance-test.local/client-metadata.json',
    ...(client && { client: { issuer: client.issuer, id: client.id } }),
  };
  const config: ServerConfig = serverConfig.parse({ prefix: 'far', kind: 'http', url, trusted: true, oauth });
  const secrets = memorySecrets();
  if (client) await secrets.set(secretKeyOf(client.issuer, client.id), client.secret);
  const signing = createSignIn({
    url,
    config: oauth,
    limits: defaultLimits,
    secrets,
    clock,
    random,
    visit: throughBrowser,
  });
  const eras = new Map<string, Json>();
  const servers = createServers([config], {
    pins,
    connect: (one) => createConnection(one, { clock, eras, validator, signIn: signing }),
  });
  const gate = createGate({
    calls,
    questions,
    pins,
    servers,
    validator,
    playbook: nothing,
    clock,
    ask: () => Promise.resolve({ answer: 'run', by: admin, scripted: true }),
    async put(question) {
      await whileAsked?.();
      return { answer: untouched(question.request), by: admin, scripted: true };
    },
    async signIn() {
      await signIn();
      return true;
    },
  });
  const connection = servers.get('far')?.connection;
  if (connection === undefined) throw new Error('there is no connection');
  let n = 0;
  let signedIn = 0;

  async function signIn(): Promise<void> {
    if (++signedIn > mostSignIns) throw new Error('the server asks for sign-in again and again');
    try {
      await connection?.signIn(admin.id);
    } catch (error) {
      // The admin looks at who wants to sign people in, and allows it.
      if (!(error instanceof Failure) || error.code !== 'servers.issuer') throw error;
      oauth.issuers.push(...(error.data as { issuers: string[] }).issuers); // as `oauthDiscovery.ts` gives it
      await connection?.signIn(admin.id);
    }
  }
  /** Lists that ask for a sign-in are read again after it. */
  async function review(): Promise<Reviewed[]> {
    for (;;)
      try {
        return await servers.review('far');
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'servers.signin') throw error;
        await signIn();
      }
  }

  return {
    connection,
    gate,
    /** Every definition the server lists, approved where the desk lets an admin approve it. */
    async approveAll(): Promise<Reviewed[]> {
      for (const { definition } of await review())
        if (definition.problem === null && definition.hash !== null)
          await pins.decide({
            prefix: 'far',
            tool: definition.name,
            by: admin,
            decision: 'approved',
            hash: definition.hash,
            why: null,
          });
      return review();
    },
    /** A call through the gate, as the loop makes one. */
    async call(tool: string, args: JsonObject): Promise<GateAnswer> {
      const offered = (await servers.offered()).tools.find((one) => one.tool === tool);
      if (offered === undefined) throw new Error(`the desk does not offer ${tool}`);
      return gate.propose({ n: ++n, offered, arguments: args, origins: {} }, { run: 'conformance', ticket });
    },
    async close(): Promise<void> {
      await servers.close();
      await validator.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
