// `desk replay --servers`: the recorded calls go through the gate to live servers again, on a fresh data folder in the
// profile's replay mode, with the people's recorded answers. What comes back must be what was recorded, field by field.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../shared/failures.ts';
import type { Json } from '../shared/json.ts';
import type { Ticket } from '../shared/tickets.ts';
import { createHost, type Host } from './host.ts';
import type { GateAnswer, Proposal } from './loop.ts';
import type { Difference, RecordedCall, ReplayOptions } from './replay.ts';
import type { RunFile } from './runFileShape.ts';
import { textOfHash } from './runFileCheck.ts';
import { valueDifference, valueWords } from './textDifference.ts';
import { trialFolder } from './trialFolder.ts';

export interface LiveServers {
  host: Host;
  ask: NonNullable<ReplayOptions['ask']>;
  close(): Promise<void>;
}

/** Failure `replay.mode` where the run was not made in the replay mode. */
export async function liveServers(
  run: RunFile,
  options: { profileFile: string; playbookFile?: string; say: (sentence: string) => void; signal?: AbortSignal },
): Promise<LiveServers> {
  if (!run.settings.replay_mode)
    throw new Failure(
      'replay.mode',
      'This run was not made in the replay mode, so its servers cannot answer the same again. Make one with "desk work --seed-state --out FILE", or replay without --servers.',
    );
  const trial = trialFolder('');
  const people: { call: RecordedCall | null } = { call: null };
  try {
    const playbook = path.join(trial.data, 'recorded-playbook.json');
    writeFileSync(playbook, textOfHash(run, run.playbook, 'the playbook'));
    const host = await createHost({
      playbookFile: playbook,
      ...options,
      data: trial.data,
      servers: true,
      replayMode: true,
      async ask() {
        const consent = people.call?.consent;
        return consent === undefined || consent.by === 'host'
          ? null
          : { answer: consent.answer, by: await host.person(consent.by), scripted: true };
      },
      async put(question) {
        const recorded = people.call?.questions?.find(
          ({ round, key }) => round === question.round && key === question.key,
        );
        if (recorded?.by == null || recorded.action === null) return null;
        const answer = { action: recorded.action, ...(recorded.content && { content: recorded.content }) };
        return { answer, by: await host.person(recorded.by), scripted: true };
      },
    });
    return {
      host,
      ask: (call, proposal, ticket, signal) => {
        people.call = call;
        return askAgain(host, call, proposal, ticket, signal);
      },
      async close() {
        await host.close();
        trial.remove();
      },
    };
  } catch (error) {
    trial.remove();
    throw error;
  }
}

async function askAgain(
  host: Host,
  call: RecordedCall,
  proposal: Proposal,
  ticket: Ticket,
  signal?: AbortSignal,
): Promise<Difference | null> {
  const { tools } = await host.servers.offered();
  const offered = tools.find(({ name }) => name === proposal.offered.name);
  if (offered === undefined) return { words: `the servers do not offer ${call.tool} any more`, field: 'tool' };
  const live = await host.gate.propose(
    { ...proposal, arguments: call.arguments, origins: call.origins, offered },
    { run: `replay-${ticket.id}`, ticket, ...(signal !== undefined && { signal }) },
  );
  const found = valueDifference(answerPart(call), answerPart(live));
  if (found === null) return null;
  const [, part = '', ...rest] = found.field.split('/');
  const field = part === 'structured' ? rest.join('/') : part;
  return { words: `in the result of ${call.tool}, ${field === '' ? part : field} ${valueWords(found)}`, field };
}

/** What a server decides; texts of a waiting call name new identifiers each time. */
function answerPart({ outcome, content, structured, questions }: GateAnswer | RecordedCall): Json {
  const asked = questions?.map(({ round, key, message, role }) => ({ round, key, message, role })) ?? [];
  return {
    outcome,
    ...(structured !== undefined && { structured }),
    ...(content !== undefined && { content }),
    questions: asked,
  };
}
