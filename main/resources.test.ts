// Documents that stood before the model (host §21), over the sample company's own servers.
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost, type Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import { openTicket } from './openTicket.ts';
import { documentText } from './resources.ts';
import { serversUp } from './serversUp.ts';
import { openSession } from './session.ts';
import { findRun, insertRun, saveDraft } from './store/runs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'resources-'));
const policy = readFileSync(path.join(import.meta.dirname, '../demo/policies/refund.md'), 'utf8');
const uri = 'shop://policies/refund';
const signal = new AbortController().signal;
let host: Host;

/** The sample company with policies of its own, which may be changed. */
function sampleWithPolicies(): string {
  const demo = path.join(import.meta.dirname, '../demo');
  cpSync(path.join(demo, 'policies'), path.join(folder, 'policies'), { recursive: true });
  const written = readFileSync(path.join(demo, 'profile.json'), 'utf8')
    .replaceAll('{profile}', demo)
    .replace('"SHOP_CHANGES"', `"SHOP_POLICIES": ${JSON.stringify(path.join(folder, 'policies'))}, "SHOP_CHANGES"`)
    .replace('"tickets.json"', JSON.stringify(path.join(demo, 'tickets.json')))
    .replace('"playbook.json"', JSON.stringify(path.join(demo, 'playbook.json')));
  writeFileSync(path.join(folder, 'profile.json'), written);
  return path.join(folder, 'profile.json');
}

beforeAll(async () => {
  const profileFile = sampleWithPolicies();
  host = await createHost({ data: path.join(folder, 'data'), profileFile, servers: true, say: () => undefined });
  await serversUp(host);
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

async function firstTicket() {
  const [ticket] = await host.tickets.list({ limit: 1 });
  if (ticket === undefined) throw new Error('the sample has tickets');
  return ticket;
}
/** A run whose settings hold sums only, as runs did before their documents were kept. */
async function sumOnly(id: string, sum: string): Promise<string> {
  const { id: ticket } = await firstTicket();
  const about = { id, batch: null, ticket, ticket_version: 1, state: 'ready', why: null, ask: null } as const;
  const rest = { model: 'none', playbook: null, settings: { resources: { [uri]: sum } }, turns: [] };
  const when = { started_at: '2026-01-01T00:00:00.000Z', ended_at: null, ms: null };
  await insertRun(host.store.db, { ...about, ...rest, ...when });
  return id;
}

describe('documents attached by the host’s rule (host §21)', () => {
  it('stand in the opened ticket with title, server and size, and their text as the run read it', async () => {
    const ticket = await firstTicket();
    const session = await openSession(host, null, null);
    await session.workTicket(ticket, {});
    const { run } = await openTicket({ store: host.store, playbook: host.playbook.playbook }, ticket.id);
    const bytes = Buffer.byteLength(policy);
    // Only the refund policy has a priority of 0.8 or more.
    expect(run?.attached).toEqual([
      { prefix: 'shop', uri, title: 'Refund policy', bytes, sha256: sha256(policy), by: null },
    ]);
    expect(await documentText(host, { run: run?.id ?? '', uri }, signal)).toEqual({
      text: policy,
      from: 'kept',
      outdated: false,
    });
  });
  it('are read again where only their sum was kept, and it is said whether they changed', async () => {
    const same = await sumOnly('run-sum', sha256('another text'));
    expect((await findRun(host.store.db, same))?.settings).toEqual({ resources: { [uri]: sha256('another text') } });
    expect(await documentText(host, { run: same, uri }, signal)).toEqual({
      text: policy,
      from: 'changed',
      outdated: false,
    });
    await host.store.db.deleteFrom('texts').execute();
    const equal = await sumOnly('run-equal', sha256(policy));
    expect(await documentText(host, { run: equal, uri }, signal)).toEqual({
      text: policy,
      from: 'same',
      outdated: false,
    });
  });
  it('are given of a run only where they stood in it', async () => {
    const run = await sumOnly('run-other', sha256(policy));
    const other = { run, uri: 'shop://policies/stock' };
    await expect(documentText(host, other, signal)).rejects.toMatchObject({ code: 'runs.document' });
    await expect(documentText(host, { run: 'none', uri }, signal)).rejects.toMatchObject({ code: 'runs.unknown' });
  });
  it('are said to be outdated once their server told of a change, while they are shown (host §5)', async () => {
    const { id } = await firstTicket();
    const { run } = await openTicket({ store: host.store, playbook: host.playbook.playbook }, id);
    await (await openSession(host, null, null)).workTicket(await firstTicket(), {});
    const asked = { run: run?.id ?? '', uri };
    const told: string[] = [];
    const deaf = host.events.listen((change) => {
      if (change.feature === 'documents') told.push(change.id);
    });
    expect(await documentText(host, asked, signal)).toMatchObject({ outdated: false });
    await expect
      .poll(
        () => {
          appendFileSync(path.join(folder, 'policies/refund.md'), '\nOne more rule.\n');
          return told[0];
        },
        { interval: 200 },
      )
      .toBe(`shop ${uri}`);
    await expect.poll(async () => (await documentText(host, asked, signal)).outdated).toBe(true);
    expect((await documentText(host, asked, signal)).text).not.toContain('One more rule');
    deaf();
  });
  it('back what a draft says of them also after a person edited it (host §15)', async () => {
    const { id: ticket } = await firstTicket();
    const row = await host.queue.row(ticket);
    const { run } = await openTicket({ store: host.store, playbook: host.playbook.playbook }, ticket);
    const text = 'Hello,\n\nThe money arrives within 5 working days.\n\nKind regards';
    const draft = { run: run?.id ?? '', ticket, ticket_version: row.version, text, claims: [], blocked: false };
    await saveDraft(host.store.db, { ...draft, skeleton: null, at: '2026-06-30T09:00:01.000Z' });
    const { edition, version } = (await host.drafts.get(ticket)) ?? { edition: 0, version: 0 };
    const edited = text.replace('Hello', 'Good morning');
    const mara = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
    const { claims } = await host.drafts.edit({ ticket, version, edition, text: edited }, mara);
    expect(claims).toContainEqual(
      expect.objectContaining({ text: '5 working days', verdict: 'backed', source: 'resource' }),
    );
  });
});
