// Priorities in words, the most urgent first.
import type { Priority } from '../../shared/queue.ts';

export const priorityWords: Record<Priority, string> = { urgent: 'Urgent', high: 'High', normal: 'Normal', low: 'Low' };
/** Keys of the record are exactly these. */
export const priorities = Object.keys(priorityWords) as Priority[];
