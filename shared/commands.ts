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
  /** Other words the palette finds it by. */
  words?: string;
}

const everywhere = [
  { id: 'go.queue', title: 'Queue', key: 'G Q', where: 'everywhere' },
  { id: 'go.inbox', title: 'Inbox', key: 'G I', where: 'everywhere' },
  { id: 'go.definitions', title: 'Tools', key: 'G D', where: 'everywhere' },
  { id: 'go.runs', title: 'Runs', key: 'G R', where: 'everywhere' },
  { id: 'go.servers', title: 'Servers', key: 'G S', where: 'everywhere' },
  { id: 'go.model', title: 'Model', key: 'G M', where: 'everywhere' },
  { id: 'view.palette', title: 'All commands', key: 'Mod+K', where: 'everywhere' },
  { id: 'view.keys', title: 'All keys', key: '?', where: 'everywhere' },
  { id: 'tickets.import', title: 'Bring tickets in from a file', key: null, where: 'everywhere', words: 'import' },
  {
    id: 'tickets.export',
    title: 'Take tickets, calls or runs out',
    key: null,
    where: 'everywhere',
    words: 'export data download',
  },
  {
    id: 'people.me',
    title: 'Change person or sign out…',
    key: null,
    where: 'everywhere',
    words: 'user account switch log out',
  },
  { id: 'people.roles', title: 'People and roles', key: null, where: 'everywhere', words: 'users' },
  { id: 'people.acts', title: 'Who did what', key: null, where: 'everywhere', words: 'audit log history' },
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
  { id: 'tickets.takeBack', title: 'Take back the last Done or Snooze', key: 'Shift+Z', where: 'queue' },
  { id: 'tickets.priority', title: 'Set the priority…', key: 'I', where: 'queue' },
  { id: 'tickets.select', title: 'Select for a bulk action', key: 'X', where: 'queue' },
  { id: 'tickets.search', title: 'Search tickets', key: '/', where: 'queue' },
  { id: 'tickets.view', title: 'Choose the view', key: 'V', where: 'queue' },
  { id: 'tickets.filter', title: 'Filter tickets', key: null, where: 'queue' },
  { id: 'tickets.quoted', title: 'Show or fold quoted text', key: 'Q', where: 'queue' },
  { id: 'tickets.note', title: 'Write a note', key: 'T', where: 'queue' },
  { id: 'tickets.keep', title: 'Keep what is being written, in the desk', key: 'Mod+S', where: 'queue' },
  { id: 'drafts.send', title: 'Send the reply', key: 'Mod+Enter', where: 'queue' },
  { id: 'drafts.undo', title: 'Undo the sending', key: 'Z', where: 'queue' },
  { id: 'drafts.edit', title: 'Edit the reply', key: 'W', where: 'queue' },
  { id: 'drafts.redo', title: 'Draft it anew', key: 'R', where: 'queue' },
  { id: 'drafts.handOver', title: 'Hand over to a person', key: 'H', where: 'queue' },
  { id: 'drafts.override', title: 'Send in spite of an unbacked claim', key: 'O', where: 'queue' },
  { id: 'drafts.claims', title: 'Next claim of the draft', key: 'C', where: 'queue' },
  { id: 'runs.attach', title: 'Attach a document or prompt…', key: 'F', where: 'queue' },
  { id: 'calls.prompt', title: 'Use a prompt…', key: 'U', where: 'queue' },
  { id: 'calls.log', title: 'Call log', key: 'L', where: 'queue' },
  { id: 'calls.json', title: 'Exact JSON of the calls', key: 'B', where: 'queue' },
  { id: 'calls.look', title: 'Go to what waits for consent', key: 'P', where: 'queue' },
] as const satisfies CommandEntry[];

const consent = [
  { id: 'consent.run', title: 'Run the call once', key: 'Y', where: 'consent' },
  { id: 'consent.dont', title: 'Do not run the call', key: 'N', where: 'consent' },
  { id: 'consent.edit', title: 'Edit the arguments', key: 'M', where: 'consent' },
] as const satisfies CommandEntry[];

const inbox = [
  { id: 'inbox.next', title: 'Next that waits', key: 'J', where: 'inbox' },
  { id: 'inbox.previous', title: 'Previous that waits', key: 'K', where: 'inbox' },
  { id: 'inbox.open', title: 'To the form', key: 'Enter', where: 'inbox' },
  { id: 'inbox.list', title: 'Back: to the form, to the list', key: 'Escape', where: 'inbox' },
  { id: 'inbox.ticket', title: 'Open its ticket in the queue', key: 'O', where: 'inbox' },
  { id: 'questions.accept', title: 'Accept: look it over, then send', key: 'Mod+Enter', where: 'inbox' },
  { id: 'questions.decline', title: 'Decline: look it over, then send', key: 'D', where: 'inbox' },
  { id: 'questions.cancel', title: 'Cancel: look it over, then send', key: 'C', where: 'inbox' },
] as const satisfies CommandEntry[];

const definitions = [
  { id: 'pins.next', title: 'Next definition', key: 'J', where: 'definitions' },
  { id: 'pins.previous', title: 'Previous definition', key: 'K', where: 'definitions' },
  { id: 'pins.open', title: 'Read the definition', key: 'Enter', where: 'definitions' },
  { id: 'pins.list', title: 'Back to the list', key: 'Escape', where: 'definitions' },
  { id: 'pins.approve', title: 'Approve the definition', key: 'A', where: 'definitions' },
  { id: 'pins.refuse', title: 'Refuse the definition', key: 'R', where: 'definitions' },
  { id: 'pins.why', title: 'Say why', key: 'W', where: 'definitions' },
  { id: 'pins.whole', title: 'Show the whole definition', key: 'D', where: 'definitions' },
] as const satisfies CommandEntry[];

const others = [
  { id: 'runs.next', title: 'Next run', key: 'J', where: 'runs' },
  { id: 'runs.previous', title: 'Previous run', key: 'K', where: 'runs' },
  { id: 'runs.open', title: 'Read the run', key: 'Enter', where: 'runs' },
  { id: 'runs.older', title: 'Show older runs', key: 'O', where: 'runs' },
  { id: 'runs.list', title: 'Back: to the run, to the list', key: 'Escape', where: 'runs' },
  { id: 'runs.work', title: 'Work the queue', key: 'W', where: 'runs' },
  { id: 'runs.pause', title: 'Pause the run', key: 'P', where: 'runs' },
  { id: 'runs.compare', title: 'Compare with another run', key: 'C', where: 'runs' },
  { id: 'servers.next', title: 'Next server', key: 'J', where: 'servers' },
  { id: 'servers.previous', title: 'Previous server', key: 'K', where: 'servers' },
  { id: 'servers.open', title: 'Read the server', key: 'Enter', where: 'servers' },
  { id: 'servers.list', title: 'Back to the list', key: 'Escape', where: 'servers' },
  { id: 'servers.add', title: 'Add a server', key: 'N', where: 'servers' },
  { id: 'servers.check', title: 'Check the server', key: 'C', where: 'servers' },
  { id: 'servers.limits', title: 'Limits for servers', key: 'L', where: 'servers' },
  { id: 'servers.switch', title: 'Switch the server on or off', key: 'O', where: 'servers' },
  { id: 'models.next', title: 'Next model', key: 'J', where: 'model' },
  { id: 'models.previous', title: 'Previous model', key: 'K', where: 'model' },
  { id: 'models.open', title: 'Read about the model', key: 'Enter', where: 'model' },
  { id: 'models.list', title: 'Back to the list', key: 'Escape', where: 'model' },
  { id: 'models.get', title: 'Get the model', key: 'D', where: 'model' },
  { id: 'models.pause', title: 'Pause getting it', key: 'P', where: 'model' },
  { id: 'models.use', title: 'Use the model', key: 'U', where: 'model' },
  { id: 'models.bench', title: 'Measure the model', key: 'B', where: 'model' },
  { id: 'models.add', title: 'Add a file', key: 'N', where: 'model' },
] as const satisfies CommandEntry[];

const all = [...everywhere, ...queue, ...consent, ...inbox, ...definitions, ...others] as const;
export type CommandId = (typeof all)[number]['id'];
export const commands: readonly (CommandEntry & { id: CommandId })[] = all;
