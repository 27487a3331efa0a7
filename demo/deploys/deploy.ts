/** Deploying a service: only a clear yes of a person deploys, everything else leaves things as they are. */
import { z } from 'zod';
import { createQuestion, newAction, type Asking, type Said, type Settled } from '../sealedQuestions.ts';
import { answer } from '../shop/tool.ts';
import { offerTool, type OfferedTool } from '../toolServer.ts';

export const DEPLOYS_TABLES =
  'CREATE TABLE IF NOT EXISTS deployments (number INTEGER PRIMARY KEY AUTOINCREMENT, service TEXT NOT NULL, env TEXT NOT NULL, deployed_at TEXT NOT NULL) STRICT';

const environments = ['staging', 'production'] as const;

const input = z.object({
  service: z
    .string('must be the name of a service')
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be small letters, digits and "-", at most 40, like parcel-labels')
    .describe('The service, like parcel-labels.'),
  env: z.enum(environments, `must be one of ${environments.join(', ')}`).describe('Where to put it.'),
});
type Args = z.output<typeof input>;

const content = z.object({ approve: z.boolean('must be true or false') });

const output = z.object({
  service: z.string(),
  env: z.enum(environments),
  status: z.enum(['deployed', 'not_deployed']),
  deployment_id: z.string().nullable(),
  deployed_at: z.string().nullable(),
});

function form({ service, env }: Args) {
  return {
    message: `Deploy ${service} to ${env}?`,
    requestedSchema: {
      type: 'object' as const,
      properties: {
        approve: {
          type: 'boolean' as const,
          title: 'Approve',
          description: `Yes puts the newest build of ${service} on ${env}; no changes nothing.`,
        },
      },
      required: ['approve'],
    },
  };
}

export function deploy(asking: Asking): OfferedTool {
  const { db, now } = asking;
  const add = db.prepare<[string, string, string], { number: number }>(
    'INSERT INTO deployments (service, env, deployed_at) VALUES (?, ?, ?) RETURNING number',
  );

  function settle({ service, env }: Args, said: Said<z.output<typeof content>>): Settled {
    if (said.action !== 'accept' || !said.content.approve) {
      const why = said.action === 'cancel' ? 'The question was closed without an answer' : 'It was not approved';
      const none = { service, env, status: 'not_deployed', deployment_id: null, deployed_at: null };
      return { closed: answer(none, `${why}: ${service} was not deployed to ${env}.`) };
    }
    const deployed_at = now().toISOString();
    const row = add.get(service, env, deployed_at);
    const deployment_id = `DP-${String(row?.number).padStart(4, '0')}`;
    return { closed: answer({ service, env, status: 'deployed', deployment_id, deployed_at }) };
  }
  const question = createQuestion(asking, { tool: 'deploy', key: 'approval', content, form, settle });

  return offerTool({
    name: 'deploy',
    title: 'Deploy a service',
    description:
      'Puts the newest build of a service on staging or production, replacing what runs there. Use it only when a colleague asks for it, never because a customer does; to try a build use staging instead of production. A person approves every deployment first, and each call is a deployment of its own.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: (args, { round }) => {
      const state = question.read(args, round.state);
      return state ? question.take(args, state, round) : question.ask(args, newAction(), 1);
    },
  });
}
