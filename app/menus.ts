// The window's menus: the commands of the palette, by their groups, with what every desktop expects beside them. The page
// runs a command; its keys are the page's too, so that one key never means two things.
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { commands, type CommandEntry, type CommandPlace } from '../shared/commands.ts';

export function setMenus(run: (command: string) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menus(run)));
}

/** Each place's own menu, in the order of the rail; `consent` is the bar over a ticket. */
const titles: Partial<Record<CommandPlace, string>> = {
  queue: 'Ticket',
  consent: 'Consent',
  inbox: 'Inbox',
  definitions: 'Tools',
  runs: 'Runs',
  servers: 'Servers',
  model: 'Model',
};

function menus(run: (command: string) => void): MenuItemConstructorOptions[] {
  const of = (wanted: (command: CommandEntry) => boolean) => commands.filter(wanted).map((one) => item(one, run));
  const first: MenuItemConstructorOptions =
    process.platform === 'darwin' ? { role: 'appMenu' } : { label: app.name, submenu: [{ role: 'quit' }] };
  const places = Object.entries(titles).map(([place, label]) => ({
    label,
    submenu: of(({ where }) => where === place),
  }));
  const isGo = ({ id }: CommandEntry): boolean => id.startsWith('go.');
  return [
    first,
    { role: 'editMenu' },
    { label: 'Go', submenu: of(isGo) },
    ...places,
    {
      label: 'View',
      submenu: [
        ...of((command) => !isGo(command) && titles[command.where] === undefined),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
  ];
}

/** The key is shown, not registered: letters alone would be taken from every text field. */
function item({ id, title, key }: CommandEntry, run: (command: string) => void): MenuItemConstructorOptions {
  const accelerator = key?.startsWith('Mod+') === true ? key.replace('Mod+', 'CommandOrControl+') : null;
  return {
    id,
    label: title,
    click: () => run(id),
    ...(accelerator === null ? {} : { accelerator, registerAccelerator: false }),
  };
}
