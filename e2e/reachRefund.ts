// Brings a desk to a refund by the random model: wordings about one order are worked until one of them reaches the call.
import path from 'node:path';
import { parseAnswers, type Answers } from '../main/answers.ts';
import { createHost } from '../main/host.ts';
import { createModel } from '../main/model/model.ts';
import { tinyModel } from '../main/model/tinyModel.ts';
import { openSession } from '../main/session.ts';
import type { Call } from '../shared/calls.ts';
import { refundPlaybook, refundTicket } from './refundPlaybook.ts';

const profileFile = path.join(import.meta.dirname, '../demo/profile.json');

/** Under an answers file; what became of the call. `folder` takes model and playbook, `data` is the desk's. */
export async function reachRefund(
  { folder, data }: { folder: string; data: string },
  order: string,
  rules: object[],
): Promise<Call> {
  const of: { answers?: Answers } = {};
  const host = await createHost({
    data,
    profileFile,
    playbookFile: refundPlaybook(folder),
    servers: true,
    say: () => undefined,
    ask: (call) => Promise.resolve(of.answers?.consent(call) ?? null),
    put: (question, call) => Promise.resolve(of.answers?.question(question, call) ?? null),
  });
  of.answers = parseAnswers(rules, await host.people());
  const prefixFolder = path.join(data, 'prefixes');
  const model = await createModel({ file: tinyModel(folder), name: 'tiny', threads: 2, prefixFolder });
  try {
    const session = await openSession(host, model, null);
    for (let at = 1; at <= 300; at++) {
      const one = refundTicket(at, order);
      await host.tickets.importText(JSON.stringify([one]), { source: 'import' });
      const ticket = await host.tickets.find(one.id);
      if (ticket === undefined) throw new Error(one.id);
      await session.workTicket(ticket, {});
      const [call] = (await host.calls.list({ ticket: one.id })).filter(({ tool }) => tool === 'shop.issue_refund');
      if (call !== undefined) return call;
    }
    throw new Error('300 tickets, and the random model never came to the refund');
  } finally {
    await model.close();
    await host.close();
  }
}
