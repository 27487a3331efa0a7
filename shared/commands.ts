// Every command of the desk, for the palette, the keys and the menus of the window: one list, so that they never differ.
// `key` as the palette shows it; Mod is ⌘ on a Mac and Ctrl elsewhere; two keys one after the other have a blank between.
// Keys can be remapped by the person. On one screen a key never means two things.

/** Where a command's key holds. `consent`: only while the bar that asks has the focus, over the keys of the queue. */
export type CommandPlace =
  'everywhere' | 'queue' | 'consent' | 'inbox' | 'definitions' | 'runs' | 'servers' | 'model' | 'menu';

export interface CommandEntry {
  id: string;
  title: string;
  key: string | null;
  where: CommandPlace;
}

const everywhere = [
  { id: 'go.queue', title: 'Queue', key: 'G Q', where: 'everywhere' },
  { id: 'go.inbox', title: 'Inbox', key: 'G I', where: 'everywhere' },
  { id: 'go.definitions', title: 'Definitions', key: 'G D', where: 'everywhere' },
  { id: 'go.runs', title: 'Runs', key: 'G R', where: 'everywhere' },
  { id: 'go.servers', title: 'Servers', key: 'G S', where: 'everywhere' },
  { id: 'go.model', title: 'Model', key: 'G M', where: 'everywhere' },
  { id: 'view.palette', title: 'All commands', key: 'Mod+K', where: 'everywhere' },
  { id: 'view.keys', title: 'All keys', key: '?', where: 'everywhere' },
  { id: 'view.theme', title: 'Light, dark, or as the system', key: null, where: 'everywhere' },
] as const satisfies CommandEntry[];

const queue = [
  { id: 'tickets.next', title: 'Next ticket', key: 'J', where: 'queue' },
  { id: 'tickets.previous', title: 'Previous ticket', key: 'K', where: 'queue' },
  { id: 'tickets.open', title: 'Read the ticket', key: 'Enter', where: 'queue' },
  { id: 'tickets.list', title: 'Back to the list', key: 'Escape', where: 'queue' },
  { id: 'tickets.take', title: 'Take the ticket', key: 'A', where: 'queue' },
  { id: 'tickets.draft', title: 'Draft a reply', key: 'D', where: 'queue' },
  { id: 'tickets.draftAll', title: 'Draft all of this view', key: 'Shift+D', where: 'queue' },
  { id: 'tickets.stop', title: 'Stop drafting', key: 'Shift+S', where: 'queue' },
  { id: 'tickets.snooze', title: 'Snooze', key: 'S', where: 'queue' },
  { id: 'tickets.done', title: 'Done', key: 'E', where: 'queue' },
  { id: 'tickets.select', title: 'Select for a bulk action', key: 'X', where: 'queue' },
  { id: 'tickets.search', title: 'Search tickets', key: '/', where: 'queue' },
  { id: 'tickets.view', title: 'Choose the view', key: 'V', where: 'queue' },
  { id: 'tickets.quoted', title: 'Show or fold quoted text', key: 'Q', where: 'queue' },
  { id: 'tickets.note', title: 'Write a note', key: 'T', where: 'queue' },
  { id: 'drafts.send', title: 'Send the reply', key: 'Mod+Enter', where: 'queue' },
  { id: 'drafts.undo', title: 'Undo the sending', key: 'Z', where: 'queue' },
  { id: 'drafts.edit', title: 'Edit the reply', key: 'W', where: 'queue' },
  { id: 'drafts.redo', title: 'Draft it anew', key: 'R', where: 'queue' },
  { id: 'drafts.handOver', title: 'Hand over to a person', key: 'H', where: 'queue' },
  { id: 'drafts.override', title: 'Send in spite of an unbacked claim', key: 'O', where: 'queue' },
  { id: 'drafts.claims', title: 'Next claim of the draft', key: 'C', where: 'queue' },
  { id: 'calls.log', title: 'Call log', key: 'L', where: 'queue' },
  { id: 'calls.json', title: 'Exact JSON of the calls', key: 'B', where: 'queue' },
  { id: 'calls.look', title: 'Go to what waits for consent', key: 'P', where: 'queue' },
] as const satisfies CommandEntry[];

const consent = [
  { id: 'consent.run', title: 'Run the call once', key: 'Y', where: 'consent' },
  { id: 'consent.dont', title: 'Do not run the call', key: 'N', where: 'consent' },
  { id: 'consent.edit', title: 'Edit the arguments', key: 'M', where: 'consent' },
] as const satisfies CommandEntry[];

const all = [...everywhere, ...queue, ...consent] as const;
export type CommandId = (typeof all)[number]['id'];
export const commands: readonly (CommandEntry & { id: CommandId })[] = all;
