// The window's menus: the commands of the palette, by their groups, with what every desktop expects beside them. The page
// runs a command; its keys are the page's too, so that one key never means two things.
import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { commands, type CommandEntry } from '../shared/commands.ts';

export function setMenus(run: (command: string) => void): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menus(run)));
}

function menus(run: (command: string) => void): MenuItemConstructorOptions[] {
  const of = (...groups: string[]) =>
    commands.filter(({ id }) => groups.includes(id.split('.')[0] ?? '')).map((command) => item(command, run));
  const others = [...new Set(commands.map(({ id }) => id.split('.')[0] ?? ''))].filter(
    (group) => !['go', 'view'].includes(group),
  );
  const first: MenuItemConstructorOptions =
    process.platform === 'darwin' ? { role: 'appMenu' } : { label: app.name, submenu: [{ role: 'quit' }] };
  return [
    first,
    { role: 'editMenu' },
    { label: 'Go', submenu: of('go') },
    { label: 'Ticket', submenu: of(...others) },
    {
      label: 'View',
      submenu: [
        ...of('view'),
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
