import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playbookSchema } from '../shared/playbook.ts';
import { serverConfig } from '../shared/servers.ts';
import { createHost, type Host } from './host.ts';
import { labelled, labelOf } from './labels.ts';
import { begin, work } from './loop.ts';
import { createModel, type Model } from './model/model.ts';
import { tinyModel } from './model/tinyModel.ts';
import { admin, ticket } from './oneTicket.ts';
import { prefixSegments } from './prompt.ts';
import { recordModel, type TapeStep } from './recording.ts';
import { replayRun } from './replay.ts';
import { reportOf } from './report.ts';
import { runFile } from './runFile.ts';
import { readRunFile } from './runFileCheck.ts';
import { openSession } from './session.ts';
import type { OfferedTool } from './slots/plan.ts';

function offered(prefix: string, tool: string): OfferedTool {
  return {
    name: `${prefix}.${tool}`,
    prefix,
    tool,
    description: `Of ${prefix}.`,
    inputSchema: {},
    marks: {},
    configuration: '',
    definition: '',
    listed: true,
  };
}
const labels = (...tools: OfferedTool[]) => labelled(tools).map(labelOf);
const playbook = playbookSchema.parse({
  ...{ format: 'desk-playbook/1', company: 'Test', language: 'en', currency: 'EUR', systems: [], tools: {}, asks: [] },
});

describe('what the model calls a tool (spec host §4)', () => {
  it('its bare name, and nothing is changed where every name is one tool’s only', () => {
    const tools = [offered('shop', 'get_order_status'), offered('shop', 'check_stock'), offered('partner', 'track')];
    expect(labelled(tools)).toEqual(tools);
    expect(labels(...tools)).toEqual(['get_order_status', 'check_stock', 'track']);
  });
  it('lengthened in front where an earlier server has the name', () => {
    expect(labels(offered('shop', 'get_status'), offered('partner', 'get_status'), offered('b', 'get_status'))).toEqual(
      ['get_status', 'partner_get_status', 'b_get_status'],
    );
  });
  it('lengthened where the name is one of our own choices', () => {
    expect(labels(offered('shop', 'answer'))).toEqual(['shop_answer']);
  });
  it.each([
    ['a name made to look lengthened', [offered('shop', 'b_get'), offered('shop', 'get'), offered('b', 'get')]],
    ['prefixes and names that join alike', [offered('x', 'c'), offered('x', 'b_c'), offered('a_b', 'c'), offered('a', 'b_c'), offered('z', 'a_b_c')]], // prettier-ignore
    ['names with dots', [offered('x', 'b'), offered('x', 'a_b'), offered('x', 'a.b'), offered('a', 'b')]],
  ])('one tool’s only, with %s', (_, tools) => {
    expect(new Set(labels(...tools)).size).toBe(tools.length);
  });
});

describe('two servers with a tool of the same name', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-labels-'));
  const tools = labelled([offered('shop', 'get_status'), offered('partner', 'get_status')]);
  let model: Model;
  beforeAll(async () => {
    model = await createModel({ file: tinyModel(folder), name: 'tiny', threads: 1, prefixFolder: folder });
    await model.setPrefix(prefixSegments(playbook, tools, []));
  });
  afterAll(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are two lines of the list of tools', () => {
    const text = prefixSegments(playbook, tools, [])
      .map((segment) => segment.text)
      .join('');
    expect(text).toContain('- get_status: Of shop.\n- partner_get_status: Of partner.\n');
  });

  /** One run over the tools in which every choice falls on one option; a random model has no choice of its own. */
  async function choosing(index: number, tools: OfferedTool[]) {
    const tape: TapeStep[] = [];
    const recorded = recordModel(model, tape);
    const steered: Model = {
      ...recorded,
      async choose(segments, options, signal) {
        const { meter } = await recorded.choose(segments, options, signal);
        return { probabilities: options.map((_, at) => (at === index ? 0.9 : 0.05)), meter };
      },
    };
    const sent: string[] = [];
    const { turns } = await work(begin(ticket), {
      ...{ model: steered, playbook, tools, resources: [], clock: { now: () => 0 } },
      send({ offered: { name } }) {
        sent.push(name);
        return Promise.resolve({ outcome: 'failed', ms: 0 });
      },
    });
    const read = tape.flatMap(({ segments = [] }) => segments.map(({ text }) => text));
    const asked = tape.find(({ op }) => op === 'choose')?.options;
    return { asked, read, options: turns[0]?.options, choice: turns[0]?.choice, sent: sent[0] };
  }

  it.each([
    [0, 'shop.get_status', 'get_status'],
    [1, 'partner.get_status', 'partner_get_status'],
  ])('are two options of a choice that begin differently: number %i is %s', async (index, name, label) => {
    const { read, ...run } = await choosing(index, tools);
    expect(run).toEqual({
      asked: [' get_status', ' partner_get_status', ' hand over'],
      options: ['shop.get_status', 'partner.get_status', 'hand over'],
      choice: name,
      sent: name,
    });
    // What came of the call is told by the same name.
    expect(read).toContain(` ${label}\n`);
  });

  it('are two lines of the letters where another name begins alike', async () => {
    const three = [...tools, offered('shop', 'get_stock')];
    const { read, choice } = await choosing(1, three);
    expect(read).toContain('\nA = get_status\nB = partner_get_status\nC = get_stock\nD = hand over\nLetter: ');
    expect(choice).toBe('partner.get_status');
  });
});

describe('what the host offers', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-offered-'));
  let host: Host;
  beforeAll(async () => {
    const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
    host = await createHost({ data: path.join(folder, 'data'), profileFile, servers: false, say: () => undefined });
  });
  afterAll(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('carries the labels, in the order of the servers', async () => {
    const args = [path.join(import.meta.dirname, '../demo/servers/partner.ts'), '--release', 'clean'];
    for (const prefix of ['one', 'two']) {
      host.servers.add(serverConfig.parse({ prefix, kind: 'stdio', command: process.execPath, args }));
      for (const { definition } of await host.servers.review(prefix)) {
        const { name: tool, hash } = definition;
        await host.pins.decide({ prefix, tool, by: admin, decision: 'approved', hash: hash ?? '', why: null });
      }
    }
    const { tools } = await host.servers.offered();
    const own = tools.filter(({ prefix }) => prefix === 'one' || prefix === 'two');
    expect(own.map((tool) => [tool.name, labelOf(tool)])).toEqual([
      ['one.track_parcel', 'track_parcel'],
      ['two.track_parcel', 'two_track_parcel'],
    ]);
  });

  it('is read under these labels, and a run of it is replayed under them (spec host §16)', async () => {
    const model = await createModel({ file: tinyModel(folder), name: 'tiny', threads: 1, prefixFolder: folder });
    try {
      const session = await openSession(host, model, 'queue-labels');
      expect(session.shared.map(({ text }) => text)).toContain('- two_track_parcel: ');
      const letter = await host.tickets.find('T-0031');
      if (letter === undefined) throw new Error('the sample has T-0031');
      const runs = [await session.workTicket(letter, {})];
      const report = reportOf(runs.map((run) => ({ run, label: null })));
      const times = { startedAt: '2026-06-30T09:00:00Z', endedAt: '2026-06-30T09:01:00Z' };
      const kept = await runFile({ id: 'queue-labels', ...times, model, host, session, runs, report, answers: null });
      const stored = path.join(folder, 'run.json');
      writeFileSync(stored, JSON.stringify(kept));
      expect(await replayRun(readRunFile(stored))).toMatchObject({ tickets: 1 });
    } finally {
      await model.close();
    }
  });
});
