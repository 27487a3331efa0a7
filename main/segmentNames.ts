// What each segment before the tickets is made of, so that a difference in it can be named: a tool, a resource, or a place
// in the playbook. The order is that of `prefixSegments`.
import type { Playbook } from '../shared/playbook.ts';
import type { AttachedResource, ServerInstructions } from './prompt.ts';
import type { OfferedTool } from './slots/plan.ts';

/** One name a segment. */
export function prefixNames(
  playbook: Playbook,
  tools: OfferedTool[],
  resources: AttachedResource[],
  instructions: ServerInstructions[] = [],
): string[] {
  return [
    'the instructions of the playbook',
    ...tools.flatMap(({ name }) => [
      `the name of ${name}`,
      playbook.labels[name] === undefined ? `the description of ${name}` : `what the playbook says of ${name}`,
      `the line of ${name}`,
    ]),
    ...instructions.flatMap(({ prefix }) => [
      `the heading of the instructions of ${prefix}`,
      `the instructions of ${prefix}`,
    ]),
    ...resources.flatMap(({ uri }) => [`the heading of ${uri}`, `the text of ${uri}`]),
    ...(playbook.asks.length > 0 ? ['the kinds of request of the playbook'] : []),
    ...playbook.worked.map((_, index) => `worked example ${index + 1} of the playbook`),
  ];
}
