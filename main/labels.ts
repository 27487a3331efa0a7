// What the model reads and chooses a tool by: its bare name. Where an earlier tool, or a choice of ours, goes by that name
// already, it is lengthened by its server's prefix, in front, so that the two begin differently (spec host §4).
import type { OfferedTool } from './slots/plan.ts';

export const handOver = 'hand over';
/** What stands beside the tools at a choice: the kinds of a playbook's replies, and a person. */
const ours = ['answer', 'ask the customer', handOver];

/** The tools in their order, with a label where the bare name is another's; every label is one tool's only. */
export function labelled(tools: OfferedTool[]): OfferedTool[] {
  const taken = new Set(ours);
  return tools.map((tool) => {
    let label = tool.tool;
    for (const longer of [`${tool.prefix}_${tool.tool}`, tool.name]) if (taken.has(label)) label = longer;
    while (taken.has(label)) label = `${label}_`;
    taken.add(label);
    return label === tool.tool ? tool : { ...tool, label };
  });
}

export function labelOf({ tool, label = tool }: Pick<OfferedTool, 'tool' | 'label'>): string {
  return label;
}
