// The run file desk-run/1 (spec cli, "Files"): definitions, playbook, resources, ticket texts and prompt segments stored
// once each by hash, every turn pointing at them.
import type { Report } from '../shared/report.ts';
import type { TicketRun } from '../shared/runs.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import type { Model } from './model/model.ts';

import type { Session } from './session.ts';

interface Parts {
  id: string;
  startedAt: string;
  endedAt: string;
  model: Model | null;
  host: Host;
  session: Session;
  runs: TicketRun[];
  report: Report;
}

/** One run as a JSON document. */
export function runFile({ id, startedAt, endedAt, model, host, session, runs, report }: Parts) {
  return {
    format: 'desk-run/1',
    id,
    started_at: startedAt,
    ended_at: endedAt,
    model:
      model === null
        ? { name: 'none', sha256: '', build: '' }
        : { name: model.info.name, sha256: model.info.sha256, build: model.info.build },
    settings: {
      context: model?.info.contextSize ?? 0,
      playbook: host.playbook.hash,
      prefix_tokens: session.prefix?.tokens ?? 0,
    },
    definitions: Object.fromEntries(session.tools.map((tool) => [tool.name, tool.definition])),
    resources: Object.fromEntries(session.resources.map((resource) => [resource.uri, sha256(resource.text)])),
    tickets: runs,
    report,
  };
}
