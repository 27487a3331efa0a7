// All the page gets of the shell: where it asks for a line, one is asked for at the door and handed in. No function and no
// object of ours is in the page.
import { ipcRenderer } from 'electron';
import { givesPort, wantsPort } from '../shared/shell.ts';
import { doorName } from './doorName.ts';

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.source !== window || event.data !== wantsPort) return;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage(doorName, null, [port1]);
  window.postMessage(givesPort, location.origin, [port2]);
});
