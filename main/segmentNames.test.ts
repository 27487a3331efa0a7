import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPlaybook } from './playbook.ts';
import { prefixSegments } from './prompt.ts';
import { prefixNames } from './segmentNames.ts';
import type { OfferedTool } from './slots/plan.ts';

describe('names of what is read before every ticket (spec host §16)', () => {
  it('stand at the very texts they name', () => {
    const { playbook } = loadPlaybook(path.join(import.meta.dirname, '../demo/playbook.json'));
    const tools = ['shop.check_stock', 'partner.track'].map((name): OfferedTool => {
      const [prefix = '', tool = ''] = name.split('.');
      const rest = { inputSchema: {}, marks: {}, configuration: '', definition: '', listed: true };
      return { name, prefix, tool, description: `Describes ${tool}.`, ...rest };
    });
    const resources = [{ prefix: 'shop', uri: 'shop://policy', text: 'Pay within a week.' }];
    const instructions = [{ prefix: 'shop', text: 'Amounts are euros.' }];
    for (const brief of [false, true]) {
      const segments = prefixSegments(playbook, tools, resources, brief, instructions);
      const names = prefixNames(playbook, tools, resources, instructions);
      const named = new Map(names.map((name, index) => [name, segments[index]?.text]));
      expect(names).toHaveLength(segments.length);
      expect(named.size).toBe(names.length);
      expect(named.get('the description of partner.track')).toBe('Describes track.');
      expect(named.get('the instructions of shop')).toBe('| Amounts are euros.\n');
      expect(named.get('the text of shop://policy')).toContain('Pay within a week.');
      expect(named.get('the kinds of request of the playbook')).toContain(playbook.asks[0]?.says);
      expect(named.get('worked example 1 of the playbook')).toContain(playbook.worked[0]?.text.split('\n')[0]);
    }
  });
});
